import { ServiceService } from '@mlango/proto/cosmos/base/node/v1beta1/query';
import { expect, it } from 'vitest';
import { nodeOfFile, reply } from '../../test/call.js';
import { BLOCK_MS, GENESIS_MS } from '../chain-clock.js';

let nowMs = GENESIS_MS;

const { client } = await nodeOfFile({ clock: () => nowMs });

it('the first block is that of the genesis, and lasts until the next is due', async () => {
  expect((await reply(client, ServiceService.status, {})).height).toBe('1');
  nowMs = GENESIS_MS + BLOCK_MS - 1;
  expect((await reply(client, ServiceService.status, {})).height).toBe('1');
  nowMs = GENESIS_MS + BLOCK_MS;
  const { height, timestamp } = await reply(client, ServiceService.status, {});
  expect(height).toBe('2');
  expect(timestamp).toEqual({ seconds: String(nowMs / 1000), nanos: 0 });
});

it('returns its settings', async () => {
  expect(await reply(client, ServiceService.config, {})).toMatchObject({
    minimum_gas_price: '0.025uixo',
    halt_height: '0',
  });
});

import { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainNode } from '../../src/nodes/chain-node.js';
import { testApp } from '../support/test-app.js';

const RAW_LOG = 6;
const TX_RESPONSE = 2;
/** A GetTxResponse with a log that is not UTF-8: `a`, an invalid byte, `z`. */
const log = new BinaryWriter()
  .tag(RAW_LOG, 2)
  .bytes(Uint8Array.of(0x61, 0xff, 0x7a))
  .finish();
const message = new BinaryWriter().tag(TX_RESPONSE, 2).bytes(log).finish();
const node: ChainNode = {
  call: async () => ({ message, headers: [], trailers: [] }),
  stream: () => {
    throw new Error('no streams here');
  },
  close() {},
};
const WARNING = /299 - "bytes that are not UTF-8 were replaced by U\+FFFD"/;

let app: HttpApp;
beforeAll(async () => {
  app = await testApp(node);
});
afterAll(() => app.close());

describe('a reply with bytes that are not UTF-8', () => {
  it.each(['', '?json=camel', '?pretty=1', '?fields=tx_response.raw_log'])(
    'has U+FFFD in their place and a Warning: %s',
    async (query) => {
      const reply = await app.inject(`/cosmos/tx/v1beta1/txs/AB${query}`);
      expect(reply.statusCode).toBe(200);
      expect(reply.body).toContain('"a\ufffdz"');
      expect(reply.headers['warning']).toMatch(WARNING);
    },
  );

  it('has both warnings where a parameter is ignored', async () => {
    const reply = await app.inject('/cosmos/tx/v1beta1/txs/AB?nope=1');
    expect(reply.headers['warning']).toMatch(/ignored query parameters: nope.*, 299 - "bytes that are not UTF-8/);
  });

  it('warns all callers of a shared reply', async () => {
    const replies = await Promise.all(Array.from({ length: 4 }, () => app.inject('/cosmos/tx/v1beta1/txs/AB')));
    for (const { headers } of replies) expect(headers['warning']).toMatch(WARNING);
  });

  it('has replacements in JSON of Connect, too', async () => {
    const reply = await app.inject({
      method: 'POST',
      url: '/cosmos.tx.v1beta1.Service/GetTx',
      headers: { 'content-type': 'application/json' },
      payload: '{"hash":"AB"}',
    });
    expect([reply.statusCode, reply.json().txResponse.rawLog]).toEqual([200, 'a\ufffdz']);
    expect(reply.headers['warning']).toMatch(WARNING);
  });

  it('is refused if configured', async () => {
    const strict = await testApp(node, { invalidUtf8: 'reject' });
    const reply = await strict.inject('/cosmos/tx/v1beta1/txs/AB');
    await strict.close();
    expect([reply.statusCode, reply.json().code]).toEqual([500, 13]);
  });

  it('has no Warning in another reply after it', async () => {
    await app.inject('/cosmos/tx/v1beta1/txs/AB');
    const reply = await app.inject('/cosmos/tx/v1beta1/txs/AB?fields=tx_response.code');
    expect(reply.headers['warning']).toBeUndefined();
  });
});

import { type MockNode, startMockNode } from '@mlango/mock-node/server';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { configuredApp } from '../support/configured-app.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The default build over the mock node. */
async function start(env: Record<string, string> = {}): Promise<{ app: HttpApp; node: MockNode }> {
  const node = await startMockNode({ drainMs: 0 });
  closing.push(() => node.close());
  const app = await configuredApp({ GRPC_TARGETS: node.address, NODE_ENV: 'test', ...env });
  closing.push(() => app.close());
  return { app, node };
}

const SERVICE = '/cosmos.tx.v1beta1.Service';
/** An empty transaction: a body with an empty memo, no fees, no signatures. */
const TX = Buffer.from([0x0a, 0x02, 0x12, 0x00, 0x12, 0x00]).toString('base64');
const simulate = { method: 'POST', url: '/cosmos/tx/v1beta1/simulate', payload: { tx_bytes: TX } } as const;
const broadcast = {
  method: 'POST',
  url: '/cosmos/tx/v1beta1/txs',
  payload: { tx_bytes: TX, mode: 'BROADCAST_MODE_SYNC' },
} as const;

describe('transactions', () => {
  it('are refused with a reason unless allowed, each by its own setting', async () => {
    const { app, node } = await start({ PROTO_ALLOW_TX: 'simulate' });
    expect((await app.inject(simulate)).json()).toMatchObject({ gas_info: { gas_used: '81234' } });
    const refused = await app.inject(broadcast);
    expect([refused.statusCode, refused.json()]).toEqual([
      501,
      {
        code: 12,
        message:
          'cosmos.tx.v1beta1.Service/BroadcastTx is disabled: this gateway does not broadcast transactions (PROTO_ALLOW_TX)',
        details: [],
      },
    ]);
    expect(node.callsOf(`${SERVICE}/BroadcastTx`)).toBe(0);
    const { app: closed } = await start();
    for (const request of [simulate, broadcast]) expect((await closed.inject(request)).statusCode).toBe(501);
    expect((await closed.inject('/openapi.json')).json().paths['/cosmos/tx/v1beta1/simulate'].post.description).toMatch(
      /^Disabled/,
    );
  });

  it('are sent if allowed, and found by their hash', async () => {
    const { app } = await start({ PROTO_ALLOW_TX: 'simulate,broadcast' });
    const { tx_response: sent } = (await app.inject(broadcast)).json();
    expect(sent).toMatchObject({ code: 0, txhash: expect.stringMatching(/^[0-9A-F]{64}$/) });
    const found = await app.inject(`/cosmos/tx/v1beta1/txs/${sent.txhash}`);
    expect(found.json()).toMatchObject({
      tx_response: { txhash: sent.txhash, tx: { '@type': '/cosmos.tx.v1beta1.Tx' } },
    });
    expect((await app.inject(`/cosmos/tx/v1beta1/txs/${'0'.repeat(64)}`)).statusCode).toBe(404);
  });

  it('are never retried, shared or cached', async () => {
    const { app, node } = await start({ PROTO_ALLOW_TX: 'simulate,broadcast', PROTO_CACHE_TTL_MS: '60000' });
    for (const [name, request] of Object.entries({ Simulate: simulate, BroadcastTx: broadcast })) {
      const replies = await Promise.all([1, 2, 3].map(() => app.inject(request)));
      expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
      expect(replies[0]?.headers).not.toHaveProperty('etag');
      expect(node.callsOf(`${SERVICE}/${name}`)).toBe(3);
      node.setFault('status-14');
      expect((await app.inject(request)).statusCode).toBe(503);
      expect(node.callsOf(`${SERVICE}/${name}`)).toBe(4);
      node.setFault(undefined);
    }
  });

  it('stay disabled with an invalid setting', () => {
    expect(() => readConfig({ PROTO_ALLOW_TX: 'simulate,send' })).toThrow('PROTO_ALLOW_TX');
  });
});

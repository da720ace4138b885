import { createServer } from 'node:http';
import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import { createIxoDidResolver } from '../src/dids/ixo-did-resolver.js';
import { ucanAuthPlugin } from '../src/http/fastify.js';
import { signerFromSeed } from '../src/mint/minting.js';
import { attacksByKind } from './all-attacks.js';
import { NOW, ORACLE, token } from './forge.js';

const attacks = Object.values(await attacksByKind()).flat();
const app = Fastify();
afterAll(() => app.close());

describe('concurrent hostile tokens', () => {
  it('are refused without blocking the event loop', async () => {
    const auth = createUcanAuth({ audiences: [ORACLE], now: () => NOW });
    const order: string[] = [];
    await app.register(ucanAuthPlugin, { auth });
    app.get('/health', async () => 'up');
    app.get('/me', { onRequest: app.requireUcan }, async () => 'in');
    // Header values are printable; the one attack that is not cannot arrive this way.
    const sendable = attacks.filter(({ token: text }) => /^[\x21-\x7e]+$/.test(text));
    const replies = [...sendable, ...sendable].map(async ({ token: text }) => {
      const reply = await app.inject({
        url: '/me',
        headers: { authorization: `Bearer ${text}`, 'x-auth-type': 'ucan' },
      });
      order.push('hostile');
      return reply.statusCode;
    });
    await app.inject('/health');
    order.push('health');
    expect(new Set(await Promise.all(replies))).toEqual(new Set([401]));
    expect(order.indexOf('health')).toBeLessThan(order.length - 1);
  });

  it('cause one query per unknown DID', async () => {
    let queries = 0;
    const indexer = createServer((_, reply) => {
      queries += 1;
      reply.end(JSON.stringify({ data: { iids: { nodes: [] } } }));
    });
    await new Promise<void>((resolve) => indexer.listen(0, '127.0.0.1', resolve));
    const address = indexer.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    // Longer than the defaults, so that a busy machine does not exhaust them.
    const [timeoutMs, keysTimeoutMs] = [60_000, 60_000];
    const resolver = createIxoDidResolver({ graphqlUrl: `http://127.0.0.1:${port}/graphql`, timeoutMs });
    const auth = createUcanAuth({ audiences: [ORACLE], now: () => NOW, resolvers: [resolver], keysTimeoutMs });
    const signer = signerFromSeed('66'.repeat(32), 'did:ixo:ixo1unknown');
    const tokens = await Promise.all(Array.from({ length: 60 }, (_, index) => token({ signer, nnc: `${index}` })));
    const codes = await Promise.all(tokens.map(async (text) => auth.invocation(text)));
    await resolver.close();
    indexer.close();
    expect(codes.every((result) => !result.ok && result.code === 'unknown_issuer')).toBe(true);
    expect(queries).toBe(1);
  });
});

import { createHash } from 'node:crypto';
import { type MockNode, startMockNode } from '@mlango/mock-node/server';
import type { HttpApp, SandboxValues } from '@mlango/service-kit/http-app';
import { type DescribedApi, filledInRequests } from '@mlango/test-services/filled-in-requests';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { configuredApp } from '../support/configured-app.js';

let node: MockNode;
let app: HttpApp;
beforeAll(async () => {
  node = await startMockNode();
  app = await configuredApp({ GRPC_TARGETS: node.address, PROTO_ALLOW_TX: 'simulate,broadcast' });
  await isReady(app);
});
afterAll(async () => {
  await app.close();
  await node.close();
});

/** Waits until the node is connected. */
const isReady = (of: HttpApp) =>
  vi.waitFor(async () => expect((await of.inject('/health/ready')).statusCode).toBe(200), { timeout: 20_000 });

const paths = async (of: HttpApp): Promise<DescribedApi> => (await of.inject('/openapi.json')).json();

/** Queries without an answer of the mock node, by reason. */
const unanswered: Readonly<Record<string, RegExp>> = {
  'no bond of it swaps, or has an alpha': /\/bonds\/\{bond_did\}\/(swap_return|alpha_maximums)/,
  'it has no evidence, no packets on their way, and no upgrade':
    /evidence\/\{hash\}|packet_(commitments|acks)\/\{sequence|upgrade/,
  'it keeps no states of the past, and no stores to read or prove from':
    /consensus_state\/|historical_info|abci_query|verify_membership/,
  'it unbonds nothing': /unbonding_delegation$/,
  'Amino is no longer in the chain': /code\/amino$/,
  'it computes no addresses, and its channels have no parameters': /build_address$|channel\/v1\/params$/,
};

describe('the examples of the API document', { timeout: 60_000 }, () => {
  it('are answered, except those of queries that the node does not have', async () => {
    const document = await paths(app);
    const requests = filledInRequests(document);
    const failed: string[] = [];
    for (const { operation, method, url, headers, body, missing, declares } of requests) {
      if (operation === 'GET /proto/watch') continue; // A WebSocket.
      const isAsked = missing.length === 0;
      const reply = isAsked
        ? await app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) })
        : undefined;
      if (reply !== undefined && reply.statusCode < 300) continue;
      failed.push(operation);
      expect([undefined, 501], `${operation} ${reply?.body}`).toContain(reply?.statusCode);
      expect(declares(501)).toBe(true);
    }
    const reasons = Object.values(unanswered);
    expect(failed.filter((operation) => !reasons.some((reason) => reason.test(operation)))).toEqual([]);
    // An unused reason must be removed.
    expect(reasons.filter((reason) => !failed.some((operation) => reason.test(operation)))).toEqual([]);
    expect({ operations: requests.length, failed: failed.length }).toEqual({ operations: 275, failed: 22 });
  });

  it.each([
    [
      'a key',
      { GATEWAY_AUTH: 'api-key', GATEWAY_API_KEYS: `wallet:${createHash('sha256').update('k').digest('hex')}` },
    ],
    ['a token', { GATEWAY_AUTH: 'ucan', GATEWAY_DID: 'did:web:gateway.example', UCAN_RESOURCE: 'ixo:proto' }],
  ])('are tried with %s by one click, and in production there is none', async (_, env) => {
    const guarded = await configuredApp({ GRPC_TARGETS: node.address, ...env });
    await isReady(guarded);
    const get = (headers: Record<string, string>) => guarded.inject({ url: '/proto/token/params', headers });
    expect((await get({})).statusCode).toBe(401);
    for (const url of ['/docs/', '/docs/json']) expect((await guarded.inject(url)).statusCode, url).toBe(200);
    const { locks } = (await guarded.inject({ method: 'POST', url: '/docs/try-as' })).json<SandboxValues>();
    const shown: Record<string, string> =
      'apiKey' in locks
        ? { 'x-api-key': locks['apiKey'] ?? '' }
        : { authorization: `Bearer ${locks['ucan']}`, 'x-auth-type': locks['authType'] ?? '' };
    expect((await get(shown)).statusCode).toBe(200);
    await guarded.close();
    const production = await configuredApp({ GRPC_TARGETS: node.address, NODE_ENV: 'production', ...env });
    expect((await production.inject({ method: 'POST', url: '/docs/try-as' })).statusCode).toBeGreaterThan(400);
    if ('apiKey' in locks) {
      expect((await production.inject({ url: '/proto/token/params', headers: shown })).statusCode).toBe(403);
    }
    await production.close();
  });

  it('are empty in production without a file', async () => {
    const production = { NODE_ENV: 'production', GRPC_TARGETS: node.address };
    const open = await configuredApp(production);
    expect(JSON.stringify(await paths(open))).not.toContain('ixo19rl4cm2hmr8afy4kldpxz3fka4jguq0ar4n0mx');
    await open.close();
    await expect(configuredApp({ ...production, PROTO_EXAMPLES: '/nowhere.json' })).rejects.toThrow('PROTO_EXAMPLES');
  });
});

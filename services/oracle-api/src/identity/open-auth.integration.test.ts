import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@mlango/service-kit/logging';
import { freshDatabase, postgresUrl, redisUrl } from '@mlango/test-services/real-services';
import { INVALID_TEXT, MISSING_TEXT } from '@mlango/ucan-auth/auth-outcome';
import { mintDelegation, mintInvocation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterEach, describe, expect, it } from 'vitest';
import { buildApp } from '../app.js';
import { type Deps, openDeps } from '../deps.js';
import { planOracle } from '../oracle.js';
import { startIndexer } from './indexer.fixture.js';

const seed = 'b4'.repeat(32);
const oracle = signerFromSeed(seed);
const logger = createLogger({ service: 'test', level: 'silent' });
const did = 'did:ixo:ixo1asha';
const asha = signerFromSeed('a5'.repeat(32), did);
const juma = signerFromSeed('70'.repeat(32));
const useOracle = { can: '*', with: 'ixo:oracle' };

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

interface Oracle {
  readonly deps: Deps;
  sessions(headers: Record<string, string>): Promise<Response>;
}

/** The oracle with its own stores on a real port, composed like `main.ts`. */
async function startOracle(env: Record<string, string> = {}): Promise<Oracle> {
  const dataDir = await mkdtemp(join(tmpdir(), 'oracle-auth-'));
  cleanUps.push(() => rm(dataDir, { recursive: true, force: true }));
  const plan = planOracle({
    env: { DATA_DIR: dataDir, ORACLE_SIGNING_SEED: seed, RATE_LIMIT_MAX: '100000', ...env },
  });
  const deps = await openDeps(plan.config, logger, { ...plan, persona: { name: 'Jua' }, authExcludedRoutes: [] });
  cleanUps.push(() => deps.close());
  const app = await buildApp(deps);
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  cleanUps.push(() => app.close());
  return { deps, sessions: (headers) => fetch(`${base}/sessions`, { headers }) };
}

async function startKnownIndexer(...rest: [answer?: Parameters<typeof startIndexer>[1]]) {
  const indexer = await startIndexer({ [did]: asha.keyDid }, ...rest);
  cleanUps.push(() => indexer.close());
  return indexer;
}

const invoking = (token: string) => ({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });
const refused = (message: string) => ({ statusCode: 401, error: 'Unauthorized', message });
const statusAndBody = async (reply: Response) => [reply.status, await reply.json()];

async function revoke({ deps }: Oracle, token: string): Promise<void> {
  expect((await deps.auth.revoke(await mintRevocation({ signer: juma, token, audience: oracle.did }))).ok).toBe(true);
}

describe('revoked tokens', { timeout: 60_000 }, () => {
  it('are refused with the text of an invalid invocation, also if they were accepted before', async () => {
    const service = await startOracle();
    const token = await mintInvocation({ signer: juma, audience: oracle.did });
    expect((await service.sessions(invoking(token))).status).toBe(200);
    await revoke(service, token);
    expect(await statusAndBody(await service.sessions(invoking(token)))).toEqual([401, refused(INVALID_TEXT)]);
    const another = await mintInvocation({ signer: juma, audience: oracle.did });
    expect((await service.sessions(invoking(another))).status).toBe(200);
  });

  it('do not authenticate as delegations', async () => {
    const service = await startOracle();
    const token = await mintDelegation({ signer: juma, audience: oracle.did, capabilities: [useOracle] });
    const headers = { 'x-ucan-delegation': token };
    expect((await service.sessions(headers)).status).toBe(200);
    await revoke(service, token);
    expect(await statusAndBody(await service.sessions(headers))).toEqual([401, refused(MISSING_TEXT)]);
  });

  it.skipIf(postgresUrl === undefined)('are refused on every replica, and after a restart', async () => {
    const fresh = await freshDatabase();
    cleanUps.push(() => fresh.drop());
    const [first, second] = [
      await startOracle({ DATABASE_URL: fresh.url }),
      await startOracle({ DATABASE_URL: fresh.url }),
    ];
    const token = await mintInvocation({ signer: juma, audience: oracle.did });
    expect((await second.sessions(invoking(token))).status).toBe(200);
    await revoke(first, token);
    expect((await second.sessions(invoking(token))).status).toBe(401);
    const restarted = await startOracle({ DATABASE_URL: fresh.url });
    expect((await restarted.sessions(invoking(token))).status).toBe(401);
  });
});

describe('a reused token', { timeout: 60_000 }, () => {
  const claim = { can: 'store/add', with: `${juma.did}/box` };
  const once = (deps: Deps, token: string) => deps.auth.authorize(token, claim.can, claim.with, { singleUse: true });
  const mint = () => mintInvocation({ signer: juma, audience: oracle.did, capability: claim });

  it('is accepted until it expires if it only authenticates', async () => {
    const service = await startOracle();
    const token = await mintInvocation({ signer: juma, audience: oracle.did });
    const statuses = [1, 2, 3].map(async () => (await service.sessions(invoking(token))).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
  });

  it('is refused if it is single-use', async () => {
    const { deps } = await startOracle();
    const token = await mint();
    const results = await Promise.all(Array.from({ length: 10 }, () => once(deps, token)));
    const [accepted, replayed] = [results.filter(({ ok }) => ok), results.filter(({ ok }) => !ok)];
    expect(accepted).toHaveLength(1);
    expect(new Set(replayed.map((result) => !result.ok && result.code))).toEqual(new Set(['replayed']));
  });

  it.skipIf(redisUrl === undefined)('is refused by all replicas that share a Redis', async () => {
    const env = { REDIS_URL: redisUrl ?? '' };
    const [first, second] = [await startOracle(env), await startOracle(env)];
    const token = await mint();
    expect((await once(first.deps, token)).ok).toBe(true);
    expect(await once(second.deps, token)).toEqual({ ok: false, code: 'replayed' });
  });
});

describe('a did:ixo issuer', { timeout: 60_000 }, () => {
  it('is resolved by the indexer', async () => {
    const indexer = await startKnownIndexer();
    const service = await startOracle({ BLOCKSYNC_GRAPHQL_URL: indexer.url });
    const token = await mintInvocation({ signer: asha, audience: oracle.did });
    expect((await service.sessions(invoking(token))).status).toBe(200);
    const impostor = signerFromSeed('66'.repeat(32), did);
    const forged = await mintInvocation({ signer: impostor, audience: oracle.did });
    expect(await statusAndBody(await service.sessions(invoking(forged)))).toEqual([401, refused(INVALID_TEXT)]);
  });

  it('is looked up once for concurrent requests, known or unknown', async () => {
    const indexer = await startKnownIndexer();
    const service = await startOracle({ BLOCKSYNC_GRAPHQL_URL: indexer.url });
    const unknownSigner = signerFromSeed('0b'.repeat(32), 'did:ixo:ixo1nobody');
    const calls = Array.from({ length: 100 }, async (_, index) => {
      const signer = index % 2 === 0 ? asha : unknownSigner;
      const token = await mintInvocation({ signer, audience: oracle.did });
      return (await service.sessions(invoking(token))).status;
    });
    const statuses = await Promise.all(calls);
    expect(statuses).toEqual(statuses.map((_, index) => (index % 2 === 0 ? 200 : 401)));
    expect(Object.fromEntries(indexer.requests)).toEqual({ [did]: 1, 'did:ixo:ixo1nobody': 1 });
  });

  it.each<[string, Parameters<typeof startIndexer>[1]]>([
    ['is down', (reply) => reply.destroy()],
    ['does not answer', () => {}],
    ['answers with an error', (reply) => void reply.writeHead(502).end()],
  ])('gets 503 while the indexer %s, and others are served', async (_, answer) => {
    const indexer = await startKnownIndexer(answer);
    const service = await startOracle({ BLOCKSYNC_GRAPHQL_URL: indexer.url });
    for (const headers of [
      invoking(await mintInvocation({ signer: asha, audience: oracle.did })),
      {
        'x-ucan-delegation': await mintDelegation({
          signer: asha,
          audience: oracle.did,
          capabilities: [useOracle],
        }),
      },
    ]) {
      const reply = await service.sessions(headers);
      expect(reply.headers.get('retry-after')).toBe('2');
      expect(await statusAndBody(reply)).toEqual([
        503,
        { statusCode: 503, error: 'Service Unavailable', message: 'Service temporarily unavailable' },
      ]);
    }
    const token = await mintInvocation({ signer: juma, audience: oracle.did });
    expect((await service.sessions(invoking(token))).status).toBe(200);
  });

  it('is looked up within the allowance of its address, and other addresses are served meanwhile', async () => {
    const indexer = await startKnownIndexer();
    const service = await startOracle({
      BLOCKSYNC_GRAPHQL_URL: indexer.url,
      RATE_LIMIT_MAX: '5',
      RATE_LIMIT_PER_ADDRESS: '1000',
      TRUST_PROXY_ENABLED: 'true',
      TRUST_PROXY_CIDRS: '127.0.0.0/8',
    });
    const ask = (token: string, address: string) =>
      service.sessions({ ...invoking(token), 'x-forwarded-for': address });
    const bad = Array.from({ length: 60 }, async (_, index) => {
      const unknownSigner = signerFromSeed('0b'.repeat(32), `did:ixo:ixo1nobody${index}`);
      return (await ask(await mintInvocation({ signer: unknownSigner, audience: oracle.did }), '192.0.2.7')).status;
    });
    const honest = await ask(await mintInvocation({ signer: asha, audience: oracle.did }), '198.51.100.1');
    const statuses = await Promise.all(bad);
    expect(honest.status).toBe(200);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
    const unknownIds = [...indexer.requests.keys()].filter((id) => id !== did);
    expect([unknownIds.length, indexer.requests.get(did)]).toEqual([5, 1]);
  });

  it('is refused if no key source is configured', async () => {
    const service = await startOracle();
    const token = await mintInvocation({ signer: asha, audience: oracle.did });
    expect(await statusAndBody(await service.sessions(invoking(token)))).toEqual([401, refused(INVALID_TEXT)]);
  });
});

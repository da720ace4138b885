/**
 * Sends hostile requests to the oracle and the query gateway while good callers use them, and prints how the good callers are
 * served. Fails if a good request fails, a hostile token is accepted, a request gets a 5xx other than 503, a service ends, or its
 * memory grows by more than 150 MB after the first kind. `BENCH_SECONDS` (5) is the time of each kind.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mintDelegation, mintInvocation, signerFromSeed, type UcanSigner } from '@mlango/ucan-auth/minting';
import { type Load, type LoadRequest, sendAll } from './load.js';
import { type BlockMeter, blockMeter, takeLongestBlock } from './longest-block.js';
import { type Child, residentMb } from './process.js';
import { repositoryFile, startNode, startService } from './services.js';
import { startStores } from './stores.js';
import { printTable } from './table.js';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 5);
const goodConnections = 4;
const mostGrowthMb = 150;
const oracleDid = 'did:ixo:entity:0f3c8b7e';
const useOracle = { can: '*', with: 'ixo:oracle' } as const;

interface Scene {
  readonly service: Child;
  readonly meter: BlockMeter;
  readonly good: LoadRequest;
  readonly hostileConnections: number;
  /** Whether a hostile request may succeed: odd queries may have an answer, bad tokens have none. */
  readonly allows2xx: boolean;
  /** Requests of each kind, shared out over the connections. */
  readonly kinds: Readonly<Record<string, readonly LoadRequest[]>>;
}

const stores = await startStores();
const node = await startNode();
const { DATABASE_URL, REDIS_URL } = stores;
const meters = { oracle: blockMeter(), gateway: blockMeter() };
const oracleEnv = { DATABASE_URL, REDIS_URL, ORACLE_DID: oracleDid };
const oracle = await startService('oracle-api', { ...oracleEnv, ...meters.oracle.env });
const gateway = await startService('proto-gateway', { GRPC_TARGETS: new URL(node.url).host, ...meters.gateway.env });
try {
  const goodToken = await mintInvocation({ signer: signerOf(1), audience: oracleDid, lifetimeSeconds: 600 });
  const scenes: Readonly<Record<string, Scene>> = {
    oracle: {
      service: oracle,
      meter: meters.oracle,
      good: openSession(goodToken),
      kinds: await hostileTokens(),
      hostileConnections: 100,
      allows2xx: false,
    },
    gateway: {
      service: gateway,
      meter: meters.gateway,
      good: { path: '/proto/token/params' },
      kinds: hostileQueries(),
      hostileConnections: 10,
      allows2xx: true,
    },
  };
  const rows: string[][] = [];
  for (const [name, scene] of Object.entries(scenes)) rows.push(...(await attack(name, scene)));
  const head = [
    'service',
    'hostile requests',
    'replies',
    'good replies',
    'good p50 ms',
    'p99 ms',
    'longest block ms',
    'memory MB',
    '',
  ];
  printTable(head, rows);
  if (rows.some((row) => row.at(-1) === 'BAD')) process.exitCode = 1;
} finally {
  await Promise.all([oracle.stop(), gateway.stop()]);
  await Promise.all([node.stop(), stores.stop()]);
}

async function attack(name: string, scene: Scene): Promise<string[][]> {
  const { service, meter, good, kinds, hostileConnections, allows2xx } = scene;
  const longestBlock = () => takeLongestBlock(meter, service.pid);
  const serveGood = () => sendAll(service, { connections: goodConnections, seconds, requestsOf: () => [good] });
  // 0: a request larger than allowed is refused by closing its connection.
  const refusals = allows2xx ? /^[24]..$|^503$|^0$/ : /^4..$|^503$/;
  await longestBlock();
  const quiet = await serveGood();
  const unharmed = { blockMs: await longestBlock(), memoryMb: residentMb(service.pid) };
  const rows = [rowOf(name, 'none', undefined, quiet, unharmed, isServed(quiet))];
  let firstMb: number | undefined;
  for (const [kind, requests] of Object.entries(kinds)) {
    const [served, hostile] = await Promise.all([
      serveGood(),
      sendAll(service, {
        connections: hostileConnections,
        seconds,
        requestsOf: (connection) => shareOf(requests, connection, hostileConnections),
      }),
    ]);
    const memoryMb = residentMb(service.pid);
    firstMb ??= memoryMb;
    const isRefused = Object.keys(hostile.statuses).every((status) => refusals.test(status));
    const isGood = isServed(served) && isRefused && !service.hasEnded && memoryMb - firstMb <= mostGrowthMb;
    rows.push(rowOf(name, kind, hostile, served, { blockMs: await longestBlock(), memoryMb }, isGood));
  }
  return rows;
}

interface Cost {
  readonly blockMs: number;
  readonly memoryMb: number;
}

function rowOf(name: string, kind: string, hostile: Load | undefined, good: Load, cost: Cost, isGood: boolean) {
  const times = [good.p50Ms, good.p99Ms, cost.blockMs].map((ms) => ms.toFixed(1));
  const ending = [String(cost.memoryMb), isGood ? 'good' : 'BAD'];
  return [name, kind, statusesOf(hostile), statusesOf(good), ...times, ...ending];
}

function statusesOf(load: Load | undefined): string {
  return Object.entries(load?.statuses ?? {})
    .map(([status, count]) => `${count} x ${status}`)
    .join(', ');
}

/** An overloaded service may refuse with 503, which callers retry; no other failure is allowed. */
function isServed({ statuses }: Load): boolean {
  return Object.keys(statuses).every((status) => /^2..$|^503$/.test(status)) && statuses['503'] !== total(statuses);
}

function total(statuses: Load['statuses']): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0);
}

function shareOf(requests: readonly LoadRequest[], connection: number, connections: number): readonly LoadRequest[] {
  const share = requests.filter((_, index) => index % connections === connection);
  return share.length > 0 ? share : requests.slice(connection % requests.length).slice(0, 1);
}

function openSession(token: string): LoadRequest {
  return { path: '/sessions', body: '{}', headers: { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' } };
}

function signerOf(index: number): UcanSigner {
  return signerFromSeed(Buffer.alloc(32, index));
}

/** Claims to be a signer without its key. */
function forger(): UcanSigner {
  return { ...signerOf(9), sign: () => randomBytes(64) };
}

/** Tokens that cost their reader most. */
async function hostileTokens(): Promise<Record<string, readonly LoadRequest[]>> {
  const many = async (make: () => Promise<string>) =>
    (await Promise.all(Array.from({ length: 500 }, make))).map(openSession);
  const mint = (signer: UcanSigner, more: { facts?: { long: string }[]; proofs?: string[] } = {}) =>
    mintInvocation({ signer, audience: oracleDid, ...more });
  const published = ['repacked', 'exhausting'].flatMap((kind) => {
    const file = repositoryFile(`packages/ucan-auth/vectors/${kind}.json`);
    return (JSON.parse(readFileSync(file, 'utf8')) as { vectors: { token: string }[] }).vectors;
  });
  return {
    'noise of 6 kB': await many(async () => randomBytes(6144).toString('base64')),
    'largest UCAN, forged signature': await many(() =>
      mint(forger(), { facts: [{ long: randomBytes(2800).toString('hex') }] }),
    ),
    '16 proof paths, forged at the end': await many(async () => mint(signerOf(14), { proofs: await forgedProofs(4) })),
    'unknown did:ixo issuers': await many(() =>
      mint(signerFromSeed(randomBytes(32), `did:ixo:ixo1${randomBytes(12).toString('hex')}`)),
    ),
    'archives of published attacks': published
      .map(({ token }) => token)
      .filter((token) => /^[\x21-\x7e]+$/.test(token))
      .map(openSession),
  };
}

/** Two UCANs in each layer, each resting on both of the layer above, so that a reader searches every path. */
async function forgedProofs(layers: number): Promise<string[]> {
  let proofs: string[] = [];
  for (let layer = 0; layer < layers; layer++) {
    const signer = layer === 0 ? forger() : signerOf(10 + layer);
    const grant = {
      signer,
      audience: signerOf(11 + layer).did,
      proofs,
      lifetimeSeconds: 600,
      capabilities: [useOracle] as const,
    };
    proofs = await Promise.all([mintDelegation(grant), mintDelegation(grant)]);
  }
  return proofs;
}

/** Requests that cost a parser most. */
function hostileQueries(): Record<string, readonly LoadRequest[]> {
  const filled = (text: string, length = 15_000) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
  const claims = '/proto/claims/claims';
  const rpc = '/ixo.claims.v1beta1.Query/ClaimList';
  const post = (path: string, body: string, type = 'application/json') => ({
    path,
    body,
    headers: { 'content-type': type },
  });
  const megabyte = 1_000_000;
  return {
    'long paths': [`/proto/entity/${filled(':')}`, `/proto/${filled('/')}`, `/proto/entity/${filled('%25')}`].map(
      (path) => ({ path }),
    ),
    'long parameters': [
      `/proto/token/params?fields=${filled('a.')}`,
      `${claims}?${filled('pagination.')}=1`,
      `${claims}?pagination.limit=${filled('9')}`,
    ].map((path) => ({ path })),
    'nested and wide JSON': [
      post(rpc, filled('{"pagination":', megabyte)),
      post('/proto/batch', filled('[', megabyte)),
      post(rpc, `{${filled('"pagination":{"limit":"1"},', megabyte)}`),
      post(rpc, `{"pagination":{"limit":${filled('9', megabyte)}}}`),
    ],
    'broken messages': [
      post(rpc, filled('\u007f', megabyte), 'application/proto'),
      post(rpc, filled('=A', megabyte), 'application/grpc-web-text'),
    ],
  };
}

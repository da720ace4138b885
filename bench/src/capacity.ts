/**
 * What a million of each thing takes of a service, of Redis and of Postgres, and how many hops one, two and four processes bear beside what the model says.
 * It prints the tables of docs/operations/capacity.md, and keeps the costs in `results/capacity.json` with `BENCH_KEEP=1`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signerFromSeed } from '@mlango/ucan-auth/minting';
import autocannon from 'autocannon';
import { type Cost, type Costs, cheapestOf, costOfEach, furtherCost, keepCosts, kinds } from './capacity-costs.js';
import { mostHops } from './capacity-model.js';
import { type Child, startChild } from './child-process.js';
import { QUERIES } from './gateway-queries.js';
import { headersOf, openSessions } from './oracle-sessions.js';
import { startOwnPostgres } from './own-postgres.js';
import { startOwnRedis } from './own-redis.js';
import { freePort } from './own-server.js';
import { printTable } from './print-table.js';
import { readStream } from './read-stream.js';
import { StoreGauge } from './store-usage.js';
import { loadMenus } from './ussd-load.js';
import { measureLogIns } from './ussd-pins.js';

const names: Readonly<Record<(typeof kinds)[number], string>> = {
  hop: 'menu hops',
  pinHop: 'log-ins (the hop with the PIN)',
  turn: 'turns of one word, streamed',
  frame: 'further frames',
  params: 'queries, params (41 B)',
  entity: 'queries, an entity (4.7 kB)',
  claims: 'queries, 100 claims (98 kB)',
};
const rounds = 3;
const hops = 20_000;
const phones = 32;
const streams = 100;
const words = 50;
const seed = 'a1'.repeat(32);
const root = fileURLToPath(new URL('../..', import.meta.url));
const data = mkdtempSync(join(tmpdir(), 'bench-capacity-'));

const [redis, postgres] = await Promise.all([startOwnRedis(), startOwnPostgres()]);
if (redis === undefined || postgres === undefined) throw new Error('this needs a Redis and a Postgres on the machine');
const gauge = new StoreGauge(redis, postgres);
const children: Child[] = [];
try {
  const node = await freePort();
  await start('deploy/mock-node/dist/main.js', node, { MOCK_NODE_PORT: String(node) });
  const stores = { REDIS_URL: redis.url, DATABASE_URL: postgres.url };
  const unlimited = { RATE_LIMIT_MAX: '1000000', TURNS_PER_ADDRESS: '1000000', PIN_ENCRYPTION_KEY: 'ab'.repeat(32) };
  const doors = await Promise.all([service('ussd-gateway', { ...stores, ...unlimited }), oracle(), gateway()]);
  const [ussd, chat, chain] = doors;

  const costs: Costs = {
    hop: await cheapest(ussd, () => askHops([ussd], hops)),
    pinHop: await pinHops(ussd),
    ...(await turnsOf(chat)),
    ...(await queriesOf(chain)),
  };
  printTable(
    ['a million', 'service s', 'Redis s', 'Postgres s', 'Redis commands', 'Redis MB', 'statements'],
    kinds.map((kind) => [names[kind], ...figuresOf(costs[kind])]),
  );
  if (process.env['BENCH_KEEP'] === '1') keepCosts({ machine: machine(), costs });

  process.stdout.write(
    `\nMenu hops a second at most, ${availableParallelism()} cores that stores and callers share:\n\n`,
  );
  const more = await Promise.all(Array.from({ length: 3 }, () => service('ussd-gateway', { ...stores, ...unlimited })));
  const rows: string[][] = [];
  for (const processes of [1, 2, 4]) {
    const { measured, callerUs } = await throughput([ussd, ...more].slice(0, processes));
    // Hops that come at one time share their way to Redis: the fewer there are at each process, the more each costs.
    const cost = await cheapest(ussd, () => askHops([ussd], hops / processes, phones / processes));
    const said = mostHops(cost, { processes, cores: availableParallelism(), callers: phones, callerUs });
    rows.push([
      String(processes),
      measured.toFixed(0),
      said.toFixed(0),
      `${((said / measured - 1) * 100).toFixed(0)} %`,
    ]);
  }
  printTable(['processes', 'measured', 'by the model', 'off by'], rows);

  async function oracle() {
    const own = { ORACLE_SIGNING_SEED: seed, LOCAL_MODEL_PACE_MS: '20', SESSIONS_PER_USER: '1000000' };
    return service('oracle-api', { ...stores, ...unlimited, ...own });
  }
  async function gateway() {
    return service('proto-gateway', { ...unlimited, GRPC_TARGETS: `127.0.0.1:${node}` });
  }
} finally {
  await Promise.all(children.map((child) => child.stop()));
  gauge.close();
  await Promise.all([redis.stop(), postgres.stop()]);
  rmSync(data, { recursive: true, force: true });
}

async function service(name: string, env: Record<string, string>): Promise<Child> {
  const port = await freePort();
  const own = { PORT: String(port), DATA_DIR: join(data, `${name}-${port}`) };
  return start(`services/${name}/dist/main.js`, port, { ...own, ...env }, '/health');
}

async function start(file: string, port: number, env: Record<string, string>, healthPath?: string): Promise<Child> {
  const child = await startChild(join(root, file), { port, env, ...(healthPath !== undefined && { healthPath }) });
  children.push(child);
  return child;
}

/** Once for nothing, so that code is compiled. */
async function cheapest(door: Child, act: () => Promise<number>): Promise<Cost> {
  await act();
  const measured: Cost[] = [];
  for (let round = 0; round < rounds; round++) measured.push(await costOfEach(door, gauge, act));
  return cheapestOf(measured);
}

async function askHops(targets: readonly Child[], count: number, callers = phones): Promise<number> {
  const [own, share] = [Math.ceil(callers / targets.length), Math.ceil(count / targets.length)];
  const all = await Promise.all(targets.map((target) => loadMenus(target, { phones: own, hops: share })));
  return all.reduce((sum, one) => sum + one.count, 0);
}

async function throughput(targets: readonly Child[]): Promise<{ measured: number; callerUs: number }> {
  await askHops(targets, hops);
  const found: { measured: number; callerUs: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const [startedMs, before] = [performance.now(), process.cpuUsage()];
    const count = await askHops(targets, hops);
    const { user, system } = process.cpuUsage(before);
    found.push({ measured: (count / (performance.now() - startedMs)) * 1000, callerUs: (user + system) / count });
  }
  return found.reduce((best, one) => (one.measured > best.measured ? one : best));
}

/** Log-ins: the hop in which a PIN is checked, and no other. Only the service is measured so; its statements are of all hops on the way. */
async function pinHops(door: Child): Promise<Cost> {
  const accounts = 200;
  let logInUs = Number.POSITIVE_INFINITY;
  // Seven hops to an account, its retry, and five to a log-in.
  const all = await cheapest(door, async () => {
    logInUs = Math.min(logInUs, (await measureLogIns(door, accounts)).cpuUs);
    return accounts * 13;
  });
  return { ...all, serviceUs: logInUs };
}

async function turnsOf(door: Child): Promise<Pick<Costs, 'turn' | 'frame'>> {
  const sessions = await openSessions(door.url, signerFromSeed(seed).did, streams);
  const ask = async (count: number) => {
    const read = await Promise.all(
      sessions.map(({ sessionId, token }) => {
        const body = { message: `count to ${count}`, stream: true };
        return readStream(`${door.url}/messages/${sessionId}`, headersOf(token), body, '"status":"finished"');
      }),
    );
    const broken = read.find(({ isComplete }) => !isComplete);
    if (broken !== undefined) throw new Error(`a stream broke: ${JSON.stringify(broken)}`);
    return read.length;
  };
  const turn = await cheapest(door, () => ask(1));
  const long = await cheapest(door, () => ask(words));
  return { turn, frame: furtherCost(turn, long, words - 1) };
}

async function queriesOf(door: Child): Promise<Pick<Costs, 'params' | 'entity' | 'claims'>> {
  const found: Cost[] = [];
  for (const { rest, amount } of QUERIES) {
    const act = async () => {
      let connection = 0;
      const setupClient = (client: autocannon.Client) => client.setRequests([rest(connection++)]);
      const result = await autocannon({ url: door.url, connections: 16, amount: amount / 2, setupClient });
      if (result.non2xx + result.errors + result.timeouts > 0) throw new Error('queries failed');
      return amount / 2;
    };
    found.push(await cheapest(door, act));
  }
  const [params, entity, claims] = found;
  if (params === undefined || entity === undefined || claims === undefined) throw new Error('a query is missing');
  return { params, entity, claims };
}

function figuresOf({ serviceUs, redisUs, postgresUs, redisCommands, redisBytes, statements }: Cost): string[] {
  const seconds = [serviceUs, redisUs, postgresUs].map((us) => us.toFixed(0));
  return [...seconds, `${redisCommands.toFixed(1)} M`, redisBytes.toFixed(0), `${statements.toFixed(2)} M`];
}

function machine(): string {
  return `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'a kind that is not known'}, Node ${process.versions.node}`;
}

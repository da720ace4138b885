import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signerFromSeed } from '@mlango/ucan-auth/minting';
import { type Child, startChild } from '../child-process.js';
import { freePort } from '../own-server.js';
import { type Link, links, mortals, survivors } from './fault-kinds.js';
import { FaultProxy } from './fault-proxy.js';
import { findClockLibrary } from './find-clock-library.js';
import { writeFlows } from './flows.js';
import { Luck } from './luck.js';
import { MortalPostgres } from './mortal-postgres.js';
import { MortalRedis } from './mortal-redis.js';
import { Replica } from './replica.js';
import { startTaleModel, type TaleModel } from './tale-model.js';

/** Of this run's processes alone. */
const signingSeed = 'a1'.repeat(32);
export const oracleDid = signerFromSeed(signingSeed).did;
export const operatorToken = 'operator-of-this-soak-alone';
const webhookSecret = `whsec_${Buffer.from('a secret of this soak, 32 letters').toString('base64')}`;

const unlimited = {
  ...{ RATE_LIMIT_MAX: '1000000', RATE_LIMIT_PER_ADDRESS: '1000000', RATE_LIMIT_PER_PHONE: '100000' },
  ...{ TURNS_PER_ADDRESS: '1000000', SESSIONS_PER_USER: '1000000' },
};

/** Everything that a soak runs on. */
export interface Scene {
  readonly replicas: readonly Replica[];
  readonly proxies: ReadonlyMap<Link, FaultProxy>;
  readonly redis: MortalRedis;
  readonly postgres: MortalPostgres;
  /** The mobile money, which says at `/payments` what was paid. */
  readonly money: Child;
  readonly node: Child;
  readonly hasClocks: boolean;
  readonly folder: string;
  /** Where callers reach the two replicas of a service. */
  doorOf(service: 'ussd' | 'oracle' | 'gateway'): readonly [string, string];
  replica(name: string): Replica;
  proxy(link: string): FaultProxy;
  /** Keeps the folder where there is something to look at in it. */
  close(keepFolder: boolean): Promise<void>;
}

/** Two replicas of each service on one Redis, one Postgres, a node, a model and mobile money, with a proxy on each way. */
export async function openScene(seed: number): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  const closers: (() => unknown)[] = [];
  const close = async (keepFolder: boolean) => {
    for (const one of closers.splice(0).toReversed()) await one();
    if (!keepFolder) rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await build(seed, folder, closers)), close };
  } catch (error) {
    await close(true);
    throw error;
  }
}

async function build(seed: number, folder: string, closers: (() => unknown)[]): Promise<Omit<Scene, 'close'>> {
  const luck = new Luck(seed);
  const [redis, postgres, model] = await Promise.all([MortalRedis.open(), MortalPostgres.open(), startTaleModel()]);
  closers.push(
    () => redis.close(),
    () => postgres.close(),
    () => (model as TaleModel).stop(),
  );
  const [nodePort, moneyPort] = [await freePort(), await freePort()];
  const ports = { redis: redis.port, postgres: postgres.port, model: model.port, node: nodePort, money: moneyPort };
  const proxies = new Map<Link, FaultProxy>();
  const openProxy = async (link: string, port: number) => {
    const proxy = await FaultProxy.open(port, new Luck(luck.between(0, 2 ** 31)));
    closers.push(() => proxy.close());
    proxies.set(link as Link, proxy);
  };
  for (const link of links) {
    const [from, to] = link.split('>') as [string, string];
    if (from !== 'callers') await openProxy(link, ports[to as keyof typeof ports]);
  }
  const proxy = (link: string) => {
    const found = proxies.get(link as Link);
    if (found === undefined) throw new Error(`no way ${link}`);
    return found;
  };
  const node = await startChild(program('deploy/mock-node/dist/main.js'), {
    port: nodePort,
    env: { MOCK_NODE_PORT: String(nodePort) },
  });
  closers.push(() => node.stop());

  const flows = join(folder, 'flows');
  mkdirSync(flows);
  writeFlows(flows);
  const clockLibrary = findClockLibrary();
  const replicas: Replica[] = [];
  const start = async (name: string) => {
    const [service] = name.split('-') as ['ussd' | 'oracle' | 'gateway'];
    const reach = (to: string) => `127.0.0.1:${proxy(`${name}>${to}`).port}`;
    const main = `services/${mains[service]}/dist/main.js`;
    const env = { ...unlimited, ...envOf(service, reach, flows) };
    const replica = await Replica.start({ name, main, folder, env, clockLibrary });
    closers.push(() => replica.stop());
    replicas.push(replica);
    await openProxy(`callers>${name}`, replica.port);
  };
  // The first ones bring the databases up to date.
  await Promise.all(mortals.map(start));
  await Promise.all(survivors.map(start));
  const secretFile = join(folder, 'webhook-secret');
  writeFileSync(secretFile, webhookSecret);
  const doorOf = (service: string) =>
    [
      `http://127.0.0.1:${proxy(`callers>${service}-1`).port}`,
      `http://127.0.0.1:${proxy(`callers>${service}-2`).port}`,
    ] as const;
  const money = await startChild(program('examples/mobile-money/dist/main.js'), {
    port: moneyPort,
    healthPath: '/payments',
    env: {
      PORT: String(moneyPort),
      GATEWAY_URL: doorOf('ussd')[1],
      WEBHOOK_SECRET_FILE: secretFile,
      CONFIRM_SECONDS: '1',
    },
  });
  closers.push(() => money.stop());
  return {
    ...{ replicas, proxies, redis, postgres, money, node, folder, doorOf, proxy },
    hasClocks: clockLibrary !== undefined,
    replica: (name) => {
      const found = replicas.find((each) => each.name === name);
      if (found === undefined) throw new Error(`no replica ${name}`);
      return found;
    },
  };
}

const mains = { ussd: 'ussd-gateway', oracle: 'oracle-api', gateway: 'proto-gateway' } as const;

function envOf(service: keyof typeof mains, reach: (to: string) => string, flows: string): Record<string, string> {
  const redis = `redis://${reach('redis')}`;
  if (service === 'gateway') {
    return { GRPC_TARGETS: reach('node'), REDIS_URL: redis, PROTO_SHARED_CACHE_BYTES: '10000000' };
  }
  const stores = { REDIS_URL: redis, DATABASE_URL: `postgres://service@${reach('postgres')}/${service}` };
  if (service === 'oracle') {
    const model = {
      LLM_BASE_URL: `http://${reach('model')}/v1`,
      LLM_MODEL: 'tales',
      LLM_API_KEY: 'none',
      LLM_TIMEOUT_MS: '15000',
    };
    const keys = { ORACLE_SIGNING_SEED: signingSeed, SEAL_KEYS: 'cd'.repeat(32) };
    return { ...stores, ...model, ...keys, CREDITS: 'local', CREDITS_OPERATOR_TOKEN: operatorToken };
  }
  const url = `http://${reach('money')}`;
  const mobileMoney = {
    ...{
      url: `${url}/ussd`,
      statusUrl: `${url}/ussd/payments/{intent}`,
      secret: webhookSecret,
      phone: 'full',
      private: true,
    },
    ...{ timeoutMs: 3000, askAgainSeconds: 2 },
  };
  const own = { FLOWS_DIR: flows, PIN_ENCRYPTION_KEY: 'ab'.repeat(32), WEBHOOKS: JSON.stringify({ mobileMoney }) };
  return { ...stores, ...own, SERVICE_CODE_LEVELS: '2' };
}

function program(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}

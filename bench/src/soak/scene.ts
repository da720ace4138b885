import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signerFromSeed } from '@mlango/ucan-auth/minting';
import postgres from 'postgres';
import { type Child, freePort, Restartable, startChild } from '../process.js';
import { repositoryFile, type ServiceName, startNode, unlimited } from '../services.js';
import { Store } from '../stores.js';
import { RedisPair } from './redis-pair.js';
import { type ShippedNginx, startShippedNginx } from './shipped-nginx.js';

const signingSeed = 'a1'.repeat(32);
const webhookSecret = `whsec_${Buffer.from('a secret of this soak, 32 letters').toString('base64')}`;
export const oracleDid = signerFromSeed(signingSeed).did;
export const operatorToken = 'operator-token-of-this-soak';
/** Service codes of the two flows of the USSD gateway. */
export const codes = { accounts: '*384*1#', payments: '*384*2#' } as const;
const databases = ['ussd', 'oracle'] as const;
export type Database = (typeof databases)[number];

/** Two replicas of each service behind the shipped nginx, with a pair of Redis, a Postgres, the mock node and a mobile money service. */
export interface Scene {
  readonly folder: string;
  readonly replicas: Readonly<Record<ServiceName, readonly [Restartable, Restartable]>>;
  /** The addresses of nginx. */
  readonly urls: ShippedNginx['urls'];
  readonly redis: RedisPair;
  readonly postgres: Store;
  readonly node: Child;
  readonly money: Child;
  readonly sql: (database: Database) => postgres.Sql;
  readonly close: (keepLogs: boolean) => Promise<void>;
}

export async function openScene(): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  const [redis, store] = await Promise.all([RedisPair.start(), Store.postgres()]);
  const node = await startNode();
  const connections = new Map<string, postgres.Sql>();
  const sql = (database: string) => {
    const known = connections.get(database);
    if (known !== undefined) return known;
    const opened = postgres(store.url.replace(/postgres$/, database), { max: 1, onnotice: () => undefined });
    connections.set(database, opened);
    return opened;
  };
  for (const name of databases) await sql('postgres').unsafe(`create database ${name}`);
  const moneyPort = await freePort();
  const start = async (service: ServiceName, env: Record<string, string>) => {
    const replicas = await Promise.all([1, 2].map((number) => replicaOf(service, number, folder, env)));
    // The first one migrates the database.
    for (const replica of replicas) await replica.start();
    return replicas as unknown as readonly [Restartable, Restartable];
  };
  const databaseUrl = (name: Database) => store.url.replace(/postgres$/, name);
  const replicas = {
    'ussd-gateway': await start('ussd-gateway', {
      REDIS_URL: redis.url,
      DATABASE_URL: databaseUrl('ussd'),
      SERVICE_CODE_LEVELS: '2',
      FLOWS_DIR: writeFlows(folder),
      WEBHOOKS: JSON.stringify({ mobileMoney: moneyWebhook(moneyPort) }),
    }),
    'oracle-api': await start('oracle-api', {
      REDIS_URL: redis.url,
      DATABASE_URL: databaseUrl('oracle'),
      ORACLE_SIGNING_SEED: signingSeed,
      LOCAL_MODEL_PACE_MS: '30',
      SEAL_KEYS: 'cd'.repeat(32),
      CREDITS: 'local',
      CREDITS_OPERATOR_TOKEN: operatorToken,
    }),
    'proto-gateway': await start('proto-gateway', { REDIS_URL: redis.url, GRPC_TARGETS: new URL(node.url).host }),
  };
  const nginx = await startShippedNginx(folder, replicas);
  const secretFile = join(folder, 'webhook-secret');
  writeFileSync(secretFile, webhookSecret);
  const money = await startChild(repositoryFile('examples/mobile-money/dist/main.js'), {
    port: moneyPort,
    healthPath: '/payments',
    env: {
      PORT: String(moneyPort),
      GATEWAY_URL: replicas['ussd-gateway'][1].url,
      WEBHOOK_SECRET_FILE: secretFile,
      CONFIRM_SECONDS: '1',
    },
  });
  const close = async (keepLogs: boolean) => {
    await Promise.all([nginx, ...Object.values(replicas).flat(), money, node].map((each) => each.stop()));
    await Promise.all([...connections.values()].map((each) => each.end({ timeout: 1 })));
    await Promise.all([redis.close(), store.close()]);
    if (!keepLogs) rmSync(folder, { recursive: true, force: true });
  };
  return { folder, replicas, urls: nginx.urls, redis, postgres: store, node, money, sql, close };
}

async function replicaOf(service: ServiceName, number: number, folder: string, env: Record<string, string>) {
  const port = await freePort();
  const name = `${service}-${number}`;
  return new Restartable(name, `http://127.0.0.1:${port}`, async () => {
    const log = openSync(join(folder, `${name}.log`), 'a');
    try {
      return await startChild(repositoryFile(`services/${service}/dist/main.js`), {
        port,
        log,
        healthPath: '/health/live',
        env: {
          ...unlimited,
          LOG_LEVEL: 'warn',
          TRUST_PROXY_ENABLED: 'true',
          PORT: String(port),
          DATA_DIR: join(folder, name),
          ...env,
        },
      });
    } finally {
      closeSync(log);
    }
  });
}

/** The shipped flow and the one with payments, each on a separate code. */
function writeFlows(folder: string): string {
  const flows = join(folder, 'flows');
  mkdirSync(flows);
  cpSync(repositoryFile('services/ussd-gateway/flows/default'), join(flows, 'default'), { recursive: true });
  cpSync(repositoryFile('examples/mobile-money/flows/default'), join(flows, 'pay'), { recursive: true });
  const services = {
    accounts: { codes: [codes.accounts], flow: 'default' },
    payments: { codes: [codes.payments], flow: 'pay' },
  };
  writeFileSync(join(flows, 'services.yaml'), JSON.stringify({ services }));
  return flows;
}

function moneyWebhook(port: number) {
  const url = `http://127.0.0.1:${port}/ussd`;
  return {
    url,
    statusUrl: `${url}/payments/{intent}`,
    secret: webhookSecret,
    phone: 'full',
    private: true,
    timeoutMs: 3000,
    askAgainSeconds: 2,
  };
}

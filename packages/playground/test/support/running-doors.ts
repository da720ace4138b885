import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBuilt, startNodeProgram } from '@mlango/test-services/program';

const noLimit = { PORT: '0', RATE_LIMIT_MAX: '1000000', DRAIN_DELAY_MS: '50' };

const freshFolder = (): string => mkdtempSync(join(tmpdir(), 'playground-'));

/** The real built USSD gateway, on a new embedded database by default. */
export async function startUssdGateway(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const settings = { ...noLimit, DATA_DIR: freshFolder(), ...env };
  const gateway = await startBuilt('services/ussd-gateway/dist/main.js', settings);
  return gateway.address;
}

/**
 * The same, with callers of three hours ago: a visit counts as abandoned an hour after its session has expired.
 * @param dial makes the calls, with the address of the gateway
 */
export async function startVisitedGateway(dial: (address: string) => Promise<void>): Promise<string> {
  const DATA_DIR = freshFolder();
  const clock =
    'const now=Date.now;globalThis.Date=class extends Date{constructor(...a){super(...(a.length?a:[Date.now()]))}static now(){return now()-108e5}}';
  const earlier = await startBuilt('services/ussd-gateway/dist/main.js', {
    ...noLimit,
    DATA_DIR,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}`,
  });
  await dial(earlier.address);
  await earlier.end('SIGTERM');
  return startUssdGateway({ DATA_DIR });
}

/** The real query gateway, in front of the mock node. */
export async function startQueryGateway(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const node = await startNodeProgram();
  const settings = { ...noLimit, GRPC_TARGETS: node.address, ...env };
  const gateway = await startBuilt('services/proto-gateway/dist/main.js', settings);
  return gateway.address;
}

export const oracleEntity = 'did:ixo:entity:e0001';

/** The real oracle with its built-in model. */
export async function startOracle(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const oracle = await startBuilt('services/oracle-api/dist/main.js', {
    ...noLimit,
    DATA_DIR: freshFolder(),
    ORACLE_ENTITY_DID: oracleEntity,
    ...env,
  });
  return oracle.address;
}

/** The built playground in front of the given services; the others are unavailable. */
export async function startPlayground(env: Readonly<Record<string, string>>): Promise<string> {
  const nowhere = 'http://127.0.0.1:1';
  const playground = await startBuilt('packages/playground/dist/main.js', {
    ...noLimit,
    USSD_GATEWAY_URL: nowhere,
    ORACLE_URL: nowhere,
    PROTO_GATEWAY_URL: nowhere,
    ...env,
  });
  return playground.address;
}

import { openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { mintDelegation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../config.js';
import { migrationsFolder } from '../store/database.js';
import * as schema from '../store/oracle-schema.js';
import { openAuth } from './open-auth.js';

const oracle = signerFromSeed('b4'.repeat(32));
const asha = signerFromSeed('a5'.repeat(32));
const logger = createLogger({ service: 'test', level: 'silent' });
let database: Awaited<ReturnType<typeof openDatabase<typeof schema>>>;

beforeAll(async () => {
  const settings = { url: undefined, dataDir: 'memory://', schema, migrationsFolder, logger, applicationName: 'test' };
  database = await openDatabase(settings);
});
afterAll(() => database.close());

const free = { take: async () => ({ ok: true }) as const };

function open(env: Record<string, string>) {
  const warnings: unknown[] = [];
  const config = { ...readConfig(env).identity, NODE_ENV: env['MODE'] ?? 'development' };
  const identity = { name: 'Jua', did: oracle.did, entityDid: oracle.did };
  const log = { warn: (fields: object, text: string) => void warnings.push([fields, text]) };
  const { auth } = openAuth(
    config,
    identity,
    { db: database.db, redis: undefined, lookUps: free, revoking: { ofIssuer: free, ofAddress: free } },
    log,
  );
  const loginBy = async (resource: string) => {
    const capabilities = [{ can: 'store/add', with: resource }] as const;
    const token = await mintDelegation({ signer: asha, audience: oracle.did, capabilities: [...capabilities] });
    return (await auth.request({ 'x-ucan-delegation': token })).ok;
  };
  return { warnings, loginBy };
}

describe('a delegation as a login', () => {
  it.each([
    ['true', true, true],
    ['covering', false, true],
    ['false', false, false],
  ])('is accepted according to UCAN_ALLOW_DELEGATION_AUTH=%s', async (setting, any, covering) => {
    const { loginBy } = open({ UCAN_ALLOW_DELEGATION_AUTH: setting });
    expect([await loginBy(`${asha.did}/box`), await loginBy('ixo:oracle')]).toEqual([any, covering]);
  });

  it('by any delegation logs a warning at a start in production only', () => {
    const [[fields, text] = []] = open({ MODE: 'production' }).warnings as [object, string][];
    expect(fields).toEqual({ variable: 'UCAN_ALLOW_DELEGATION_AUTH' });
    expect(text).toContain('covering');
    expect(open({ MODE: 'production', UCAN_ALLOW_DELEGATION_AUTH: 'covering' }).warnings).toEqual([]);
    expect(open({}).warnings).toEqual([]);
  });
});

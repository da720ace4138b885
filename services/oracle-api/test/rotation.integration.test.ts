import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { endPrograms } from '@mlango/test-services/program';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { redisUrl } from '@mlango/test-services/real-redis';
import { startRedis } from '@mlango/test-services/servers';
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { keyOfDid } from '@mlango/ucan-auth/did-key';
import type { DidResolver } from '@mlango/ucan-auth/did-resolver';
import { mintDelegation, mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { Redis } from 'ioredis';
import postgres from 'postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { oracleSigners } from '../src/identity/oracle-identity.js';
import { runCommand, type ServiceProcess, startService } from './service-process.fixture.js';

afterEach(endPrograms);

const page = readFileSync(new URL('../../../docs/operations/rotation.md', import.meta.url), 'utf8');

/** The code blocks of a language below a heading of the page, with the words in capitals replaced. */
function blocksOf(heading: string, language: string, words: Readonly<Record<string, string>>): string[] {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`)).split('\n## ')[1] ?? '';
  const blocks = [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  );
  const inPlace = (code: string) => code.replace(/\b[A-Z]+(?:_[A-Z]+)*\b/g, (word) => words[word] ?? word);
  return blocks.map(inPlace);
}

const secret = () => randomBytes(32).toString('hex');
const seed = secret();
const oracle = signerFromSeed(seed);
const user = signerFromSeed(secret());
const identity = { ORACLE_SIGNING_SEED: seed, ORACLE_DID: oracle.did };
const capabilities = [{ can: 'store/add', with: `${user.did}/*` }] as const;

async function request(service: ServiceProcess, method: string, path: string, body?: object) {
  const token = await mintInvocation({ signer: user, audience: oracle.did });
  const reply = await fetch(`${service.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: await reply.json() };
}

const delegate = async (service: ServiceProcess) => {
  const token = await mintDelegation({ signer: user, audience: oracle.did, capabilities: [...capabilities] });
  return request(service, 'POST', '/delegation', { raw: token });
};
const isHeld = async (service: ServiceProcess) => (await request(service, 'GET', '/delegation')).body;

describe.skipIf(postgresUrl === undefined)('rotation of the sealing keys', { timeout: 90_000 }, () => {
  it('proceeds replica by replica, and delegations open on every replica at every step', async () => {
    const { url, drop } = await freshDatabase();
    const [earlier, next] = [secret(), secret()];
    const env = (...keys: string[]) => ({ ...identity, DATABASE_URL: url, SEAL_KEYS: keys.join(',') });
    try {
      const before = await startService(env(earlier));
      expect((await delegate(before)).status).toBeLessThan(300);
      const known = await startService(env(earlier, next));
      expect(await isHeld(known)).toMatchObject({ authorized: true });
      await before.end('SIGTERM');

      const turned = await startService(env(next, earlier));
      await request(turned, 'DELETE', '/delegation');
      expect((await delegate(turned)).status).toBeLessThan(300);
      expect(await isHeld(known)).toMatchObject({ authorized: true });
      expect((await delegate(known)).status).toBeLessThan(300);
      await known.end('SIGTERM');

      const reseal = () =>
        runCommand(
          [process.execPath, new URL('../dist/cli.js', import.meta.url).pathname, 'reseal'],
          env(next, earlier),
        );
      expect((await reseal()).stdout).toBe('1 of 1 delegations sealed again, 0 could not be opened\n');
      expect((await reseal()).stdout).toBe('0 of 1 delegations sealed again, 0 could not be opened\n');
      const last = await startService(env(next));
      expect(await isHeld(last)).toMatchObject({ authorized: true });
    } finally {
      await endPrograms();
      await drop();
    }
  });
});

describe.skipIf(postgresUrl === undefined || redisUrl === undefined)(
  'rotation of passwords',
  { timeout: 90_000 },
  () => {
    it('of Redis and of Postgres accepts both during the change, and the earlier ones no longer after', async () => {
      const { url, drop } = await freshDatabase();
      const redis = await startRedis();
      const admin = postgres(url, { max: 1, onnotice: () => {} });
      const redisAdmin = new Redis(redis.url);
      const name = `rotation_${randomBytes(6).toString('hex')}`;
      const [first, second] = [`${name}_a`, `${name}_b`];
      const loggedInAs = (role: string, password: string) =>
        Object.assign(new URL(url), { username: role, password }).href;
      const redisAs = (password: string) => Object.assign(new URL(redis.url), { username: 'oracle', password }).href;
      const words = {
        OWNER: first,
        OLD_LOGIN: first,
        NEW_LOGIN: second,
        NEW_PASSWORD: 'next',
        OLD_PASSWORD: 'earlier',
        USER: 'oracle',
      };
      const [addLogin = '', endLogin = ''] = blocksOf('A password of Postgres', 'sql', words);
      const [addPassword = '', endPassword = ''] = blocksOf('A password of Redis', 'redis', words);
      const runRedis = async (line: string) => {
        const [command = '', ...args] = line.trim().split(' ');
        await redisAdmin.call(command, ...args);
      };
      try {
        await admin.unsafe(`create role ${first} login password 'earlier'`);
        await admin.unsafe(`alter database ${new URL(url).pathname.slice(1)} owner to ${first}`);
        await admin.unsafe(`alter schema public owner to ${first}`);
        await redisAdmin.call('ACL', 'SETUSER', 'oracle', 'on', '>earlier', '~*', '&*', '+@all');

        const before = await startService({
          ...identity,
          DATABASE_URL: loggedInAs(first, 'earlier'),
          REDIS_URL: redisAs('earlier'),
        });
        expect((await request(before, 'POST', '/sessions')).status).toBe(201);

        await admin.unsafe(addLogin);
        await runRedis(addPassword);
        const after = await startService({
          ...identity,
          DATABASE_URL: loggedInAs(second, 'next'),
          REDIS_URL: redisAs('next'),
        });
        expect((await request(before, 'GET', '/sessions')).body).toMatchObject({ total: 1 });
        expect((await request(after, 'POST', '/sessions')).status).toBe(201);
        expect((await request(before, 'GET', '/sessions')).body).toMatchObject({ total: 2 });
        await before.end('SIGTERM');

        await admin.unsafe(endLogin);
        await runRedis(endPassword);
        await expect(postgres(loggedInAs(first, 'earlier'), { max: 1 }).unsafe('select 1')).rejects.toThrow(
          /not permitted to log in/,
        );
        const refused = new Redis(redisAs('earlier'), { lazyConnect: true, retryStrategy: () => null });
        refused.on('error', () => {});
        await expect(refused.connect()).rejects.toThrow();
        expect((await request(after, 'POST', '/sessions')).status).toBe(201);
        // The new login creates objects for the owner, so that the next login can use them.
        const login = postgres(loggedInAs(second, 'next'), { max: 1 });
        expect(await login`select current_user as name`).toMatchObject([{ name: first }]);
        await login.end();
      } finally {
        await endPrograms();
        redisAdmin.disconnect();
        await redis.remove();
        await admin.end({ timeout: 1 });
        await drop();
        await dropRoles(second, first);
      }
    });
  },
);

async function dropRoles(...roles: string[]): Promise<void> {
  const sql = postgres(postgresUrl ?? '', { max: 1, onnotice: () => {} });
  for (const role of roles) await sql.unsafe(`drop role if exists ${role}`);
  await sql.end({ timeout: 1 });
}

describe("rotation of the oracle's signing key", () => {
  it('starts in its DID document: signatures of both keys are valid while both are listed', async () => {
    const did = 'did:ixo:ixo1oracle';
    const service = 'did:web:store.example';
    const [earlier, next] = [secret(), secret()];
    const signerOf = async (ORACLE_SIGNING_SEED: string) => {
      const settings = { ORACLE_NAME: 'Mlango', ORACLE_DID: did, ORACLE_SIGNING_SEED, DATA_DIR: 'memory://' };
      const [signer] = await oracleSigners(settings, { name: 'Mlango', did, entityDid: did });
      if (signer === undefined) throw new Error('no signer');
      return signer;
    };
    let document = [signerFromSeed(earlier).did];
    let now = 1_800_000_000;
    const chain: DidResolver = {
      method: 'ixo',
      resolve: async () => ({ ok: true, keys: document.flatMap((key) => keyOfDid(key) ?? []), until: now + 300 }),
      forget: () => {},
    };
    const capability = { can: '*', with: 'ixo:store' };
    const mint = async (key: string) =>
      mintInvocation({ signer: await signerOf(key), audience: service, capability, expiresAt: now + 3_600 });
    const otherAuth = createUcanAuth({
      audiences: [service],
      resolvers: [chain],
      now: () => now,
      maxTtlSeconds: 3_600,
    });
    const isGood = async (token: string) => (await otherAuth.authorize(token, capability.can, capability.with)).ok;

    const old = await mint(earlier);
    expect(await isGood(old)).toBe(true);
    document = [signerFromSeed(earlier).did, signerFromSeed(next).did];
    now += 300;
    const fresh = await mint(next);
    expect([await isGood(old), await isGood(fresh)]).toEqual([true, true]);
    document = [signerFromSeed(next).did];
    now += 300;
    expect([await isGood(old), await isGood(fresh)]).toEqual([false, true]);
  });
});

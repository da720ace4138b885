import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endPrograms } from '@mlango/test-services/program';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publishedClient } from './published-client.fixture.js';
import { type ServiceProcess, startService } from './service-process.fixture.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(join(root, 'docs/operations/upgrades.md'), 'utf8').replaceAll('ussd-gateway', 'oracle-api');
const releasedData = new URL('released-data/', import.meta.url);
const seed = 'a1'.repeat(32);
const oracle = signerFromSeed(seed);
const user = signerFromSeed('b2'.repeat(32));
const identity = { ORACLE_SIGNING_SEED: seed, ORACLE_DID: oracle.did, SEAL_KEYS: 'c4'.repeat(32) };
const [message, remembered] = ['The tea is under the stairs.', 'likes ginger tea'];

/** Runs the commands below a heading of the page, for this service, in a folder. */
async function follow(heading: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`)).split('\n## ')[1] ?? '';
  const blocks = [...section.matchAll(/^ *```bash\n([\s\S]*?)```/gm)].map(([, code = '']) => code);
  expect(blocks).not.toEqual([]);
  for (const code of blocks) await run('bash', ['-ec', code], { cwd, env: { PATH: process.env['PATH'], ...env } });
}

async function clientOf(service: ServiceProcess) {
  return publishedClient(service.base, { invocation: await mintInvocation({ signer: user, audience: oracle.did }) });
}

/** A session with a message, and a memory of its user in a table of a plugin. */
async function converse(service: ServiceProcess): Promise<string> {
  const client = await clientOf(service);
  const sessionId = await client.newSession();
  await client.stream(sessionId, { message: message });
  await client.stream(sessionId, { message: `use the tool remember with {"content":"${remembered}"}` });
  return sessionId;
}

/** Checks that all data exist, and that the conversation continues. */
async function goesOn(service: ServiceProcess, sessionId: string): Promise<void> {
  const client = await clientOf(service);
  const messages = async () => JSON.stringify(await client.call('GET', `/messages/${sessionId}`));
  const before = await messages();
  expect(before).toContain(message);
  await client.stream(sessionId, { message: 'use the tool recall with {"query":"tea"}' });
  const after = await messages();
  expect(after.length).toBeGreaterThan(before.length);
  expect(after.slice(before.length - 2)).toContain(remembered);
}

describe.skipIf(postgresUrl === undefined)('the conversations of users', { timeout: 180_000 }, () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let other: Awaited<ReturnType<typeof freshDatabase>>;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mlango-upgrades-'));
    [database, other] = await Promise.all([freshDatabase(), freshDatabase()]);
  });
  afterEach(async () => {
    await endPrograms();
    await Promise.all([database.drop(), other.drop()]);
    rmSync(folder, { recursive: true });
  });
  const onServer = () => ({ ...identity, DATABASE_URL: database.url });

  it('are in a backup made during use, and in its restore, with the tables of plugins', async () => {
    const before = await startService(onServer());
    const sessionId = await converse(before);
    await follow('Backup', folder, { DATABASE_URL: database.url });
    const later = await converse(before);
    await endPrograms();
    await follow('Restore', folder, { RESTORED_URL: other.url });
    const after = await startService({ ...identity, DATABASE_URL: other.url });
    await goesOn(after, sessionId);
    await expect(goesOn(after, later)).rejects.toThrow();
  });

  it.each(readdirSync(releasedData))('of an earlier release continue after an upgrade: %s', async (file) => {
    const text = readFileSync(new URL(file, releasedData), 'utf8');
    await database.read(text);
    const [, sessionId = ''] = /^-- session (\S+)$/m.exec(text) ?? [];
    await follow('Upgrade', root, onServer());
    await goesOn(await startService(onServer()), sessionId);
  });

  it('are moved from the embedded database to a server, with the tables of plugins', async () => {
    const embedded = await startService({ ...identity, DATA_DIR: folder });
    const sessionId = await converse(embedded);
    await embedded.end('SIGTERM');
    const moving = { ...identity, DATA_DIR: folder, RESTORED_URL: database.url };
    await follow('From the embedded database to a server', root, moving);
    await goesOn(await startService(onServer()), sessionId);
  });

  // Once per release: docs/development/changes.md.
  if (process.env['RECORD_RELEASED_DATA'] !== undefined)
    it('are recorded for future releases', async () => {
      const service = await startService(onServer());
      const sessionId = await converse(service);
      await service.end('SIGTERM');
      const { stdout } = await run('pg_dump', ['--inserts', '--no-owner', '--no-privileges', database.url]);
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
      // Meta-commands of psql, because the dump is loaded by another client.
      const dump = stdout.replace(/^\\.*\n/gm, '').replace(/^--.*\n|^\n/gm, '');
      writeFileSync(new URL(`${version}.sql`, releasedData), `-- session ${sessionId}\n${dump}`);
    });
});

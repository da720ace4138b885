import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endPrograms, listensAtUrl, runProgram, startProgram } from '@mlango/test-services/program';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';

const service = fileURLToPath(new URL('..', import.meta.url));
/** Folders that are no plugins: the API of plugins, and the host that runs them. */
const sharedFolders = ['api', 'host'];
/** The folders of the bundled plugins. */
export const pluginFolders = readdirSync(join(service, 'src/plugins'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !sharedFolders.includes(entry.name))
  .map(({ name }) => name);

const seed = Buffer.alloc(32, 'o');
const [oracle, user] = [signerFromSeed(seed), signerFromSeed(Buffer.alloc(32, 'a'))];

/** A copy of the built service, to remove folders from. */
let house: string;
let main: string[];
let env: Record<string, string>;
/** Postgres for the integration tests, because a process with an embedded database starts much more slowly. */
let database: Awaited<ReturnType<typeof freshDatabase>> | undefined;
beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), 'oracle-folders-'));
  main = [join(house, 'dist/main.js')];
  for (const part of ['dist', 'drizzle', 'package.json']) {
    await cp(join(service, part), join(house, part), { recursive: true });
  }
  // A working copy may have output of deleted folders.
  for (const { name } of await readdir(join(house, 'dist/plugins'), { withFileTypes: true })) {
    if (![...pluginFolders, ...sharedFolders].includes(name) && !name.includes('.'))
      await rm(folder(name), { recursive: true });
  }
  await symlink(join(service, 'node_modules'), join(house, 'node_modules'), 'junction');
  database = postgresUrl === undefined ? undefined : await freshDatabase();
  env = {
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
    PORT: '0',
    DATA_DIR: join(house, 'data'),
    DRAIN_DELAY_MS: '0',
    LOCAL_MODEL_PACE_MS: '0',
    ORACLE_SIGNING_SEED: seed.toString('hex'),
    // Enables the plugins that need settings. No service listens at these addresses.
    PROTO_GATEWAY_URL: 'http://127.0.0.1:9',
    MCP_SERVERS: '{"away":{"url":"http://127.0.0.1:9/mcp"}}',
    CREDITS: 'local',
    SLACK_SIGNING_SECRET: 's'.repeat(32),
    SLACK_BOT_TOKEN: 'xoxb-t',
    LIVEKIT_URL: 'ws://127.0.0.1:9',
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 's'.repeat(32),
  };
}, 60_000);
afterEach(endPrograms);
afterAll(async () => {
  await database?.drop();
  await rm(house, { recursive: true, force: true });
});

const folder = (name: string) => join(house, 'dist/plugins', name);

/** Runs a function while folders are missing. */
export async function without<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
  const hidden = (name: string) => join(house, `away-${name}`);
  for (const name of names) await rename(folder(name), hidden(name));
  try {
    return await work();
  } finally {
    for (const name of names) await rename(hidden(name), folder(name));
  }
}

/** Runs a function while a folder contains only a `plugin.js` with this text. */
export function withBroken<T>(name: string, text: string, work: () => Promise<T>): Promise<T> {
  return without([name], async () => {
    await mkdir(folder(name));
    await writeFile(join(folder(name), 'plugin.js'), text);
    try {
      return await work();
    } finally {
      await rm(folder(name), { recursive: true });
    }
  });
}

/** Starts the service, sends a message, and returns the names of the enabled plugins. */
export async function servedPlugins(extra: Record<string, string> = {}): Promise<string[]> {
  const program = await startProgram(main, { env: { ...env, ...extra }, listens: listensAtUrl });
  const base = program.address;
  const token = await mintInvocation({ signer: user, audience: oracle.did });
  const headers = { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan', 'content-type': 'application/json' };
  /** A process may be too busy just after its start. */
  const post = (path: string, body: object): Promise<{ status: number; reply: Record<string, unknown> }> =>
    vi.waitFor(
      async () => {
        const reply = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
        if (reply.status === 503) throw new Error(await reply.text());
        return { status: reply.status, reply: (await reply.json()) as Record<string, unknown> };
      },
      { timeout: 20_000, interval: 200 },
    );
  const topUp = await post('/credits/top-ups', { topUpId: 't', did: user.did, tokens: 1_000_000 });
  expect([200, 201, 404]).toContain(topUp.status);
  const { reply: session } = await post('/sessions', {});
  const answered = await post(`/messages/${String(session['sessionId'])}`, { message: 'hello' });
  expect(answered).toMatchObject({ status: 200, reply: { message: { content: expect.stringContaining('Hello') } } });
  const [, names = ''] = /"plugins":\[([^\]]*)\]/.exec(program.output()) ?? [];
  expect(await program.end('SIGTERM')).toBe(0);
  return names.split(',').map((name) => name.replaceAll('"', ''));
}

/** Output of a failed start. */
export async function failedStart(): Promise<string> {
  const started = runProgram(main, { env });
  expect(await started.exit).toBe(1);
  return started.output();
}

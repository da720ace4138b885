import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endPrograms } from '@mlango/test-services/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPlugin } from '../src/plugins/api/plugin.fixture.js';
import type { RuntimeContext } from '../src/plugins/api/runtime-context.js';
import { MatrixPeer } from '../src/plugins/attachments/matrix-peer.fixture.js';
import { authOf, listening } from '../src/sockets/sockets.fixture.js';
import { testApp } from './app.fixture.js';
import { publishedClient } from './published-client.fixture.js';
import { runScript, type ServiceProcess, startService } from './service-process.fixture.js';
import { storedRows } from './stored-rows.fixture.js';

describe("a user's Matrix session", () => {
  const peer = new MatrixPeer();
  const wrongToken = `syt_wrong_${randomBytes(8).toString('hex')}`;
  const remoteServer = 'https://matrix.elsewhere.example';
  let dataDir: string;
  let service: ServiceProcess;
  /** All output that is visible outside the service. */
  const seen: string[] = [];

  beforeAll(async () => {
    await peer.listen();
    dataDir = await mkdtemp(join(tmpdir(), 'oracle-matrix-'));
    const env = { DATA_DIR: dataDir, NODE_ENV: 'test', LOG_LEVEL: 'trace' };
    service = await startService({
      ...env,
      LOCAL_MODEL_PACE_MS: '0',
      MATRIX_HOMESERVERS: peer.origin,
      PRIVATE_HOSTS: new URL(peer.origin).host,
    });
    const { stdout } = await runScript('dev-token', env);
    const client = publishedClient(service.base, { invocation: stdout.trim() });
    const sessionId = await client.newSession();
    const post = async (body: object, headers: Record<string, string>) => {
      const reply = await client.reply('POST', `/messages/${sessionId}`, body, headers);
      seen.push(await reply.text(), JSON.stringify([...reply.headers]));
    };
    const attachments = [{ mxcUri: peer.keep('Zuri has four legs'), filename: 'zuri.txt', mimetype: 'text/plain' }];
    const body = { message: 'What is this', attachments };
    for (const stream of [false, true]) {
      const own = { 'x-matrix-access-token': peer.token, 'x-matrix-homeserver': peer.origin };
      await post({ ...body, stream }, own);
      await post({ ...body, stream, homeServer: peer.origin }, { 'x-matrix-access-token': peer.token });
      await post({ ...body, stream }, { ...own, 'x-matrix-access-token': wrongToken });
      await post({ ...body, stream, homeServer: remoteServer }, own);
      await post({ ...body, stream, message: '' }, own);
      await post({ ...body, stream, homeServer: 'x'.repeat(300) }, own);
      await post({ ...body, stream }, { ...own, 'x-matrix-access-token': `${peer.token}${'x'.repeat(5_000)}` });
    }
    const listed = await client.reply('GET', `/messages/${sessionId}`);
    seen.push(await listed.text());
  }, 90_000);
  afterAll(async () => {
    await endPrograms();
    await peer.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('reads files, and is in no reply, frame, log line or database row', async () => {
    expect(seen.join('\n')).toContain('Zuri has four legs');
    expect(await service.end('SIGTERM')).toBe(0);
    const rows = await storedRows(dataDir);
    expect(rows, 'where a file is').toContain('zuri.txt');
    for (const [where, text] of [
      ['replies', seen.join('\n')],
      ['log', service.output()],
      ['database', rows],
    ] as const) {
      for (const secret of [peer.token, wrongToken, new URL(peer.origin).host, 'elsewhere.example']) {
        expect(text.includes(secret), `${secret} in the ${where}`).toBe(false);
      }
    }
    expect(service.output()).toContain('attachment not read');
    expect(peer.seen.map(({ authorization }) => authorization)).toContain(`Bearer ${wrongToken}`);
  });

  it('is passed only to plugins that declare it', async () => {
    const contexts = new Map<string, RuntimeContext>();
    const watching = (name: string, receives?: readonly 'matrix'[]) =>
      testPlugin(name, {
        ...(receives === undefined ? {} : { receives }),
        getRequestTools: (context) => {
          contexts.set(name, context);
          return [];
        },
      });
    const open = await listening({ plugins: [watching('curious'), watching('trusted', ['matrix'])] });
    const client = publishedClient(open.base, await authOf('a'));
    const path = `/messages/${await client.newSession()}`;
    const headers = { 'x-matrix-access-token': peer.token, 'x-matrix-homeserver': 'https://of-the-header.example' };
    const contextOf = async (body: object, sent: Record<string, string>) => {
      expect((await client.reply('POST', path, { message: 'hi', ...body }, sent)).status).toBe(200);
      return contexts.get('trusted')?.matrix;
    };
    const homeserver = 'https://of-the-header.example';
    expect(await contextOf({}, headers)).toEqual({ homeserver, accessToken: peer.token });
    expect(await contextOf({ homeServer: 'of-the-body.example' }, headers)).toEqual({
      homeserver: 'of-the-body.example',
      accessToken: peer.token,
    });
    expect(await contextOf({ homeServer: '' }, headers)).toEqual({ homeserver, accessToken: peer.token });
    expect(await contextOf({}, {})).toBeUndefined();
    await contextOf({}, headers);
    const { logger: _, ...others } = contexts.get('curious') ?? {};
    expect(others).toHaveProperty('session');
    expect(JSON.stringify(others)).not.toMatch(/syt_|of-the-/);
    await open.close();
  });

  it('is refused if it is malformed, naming the field', async () => {
    const { app } = await testApp();
    const headers = { ...publishedClient('', await authOf('a')).auth, 'x-matrix-access-token': 'x'.repeat(5_000) };
    const { sessionId } = (await app.inject({ method: 'POST', url: '/sessions', headers })).json();
    const post = (payload: object, sent: object) =>
      app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers: { ...headers, ...sent }, payload });
    const long = await post({ message: 'hi' }, {});
    expect([long.statusCode, long.json().message]).toEqual([400, expect.stringContaining('x-matrix-access-token')]);
    expect(long.body).not.toContain('xxxx');
    const body = await post({ message: 'hi', homeServer: 'x'.repeat(256) }, { 'x-matrix-access-token': 'x' });
    expect([body.statusCode, body.json().message]).toEqual([400, expect.stringContaining('homeServer')]);
    await app.close();
  });
});

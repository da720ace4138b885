import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-services';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseSse } from '../src/runs/log/parse-sse.fixture.js';
import { runScript, type ServiceProcess, startService } from './service-process.fixture.js';

let dataDir: string;
const running: ServiceProcess[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'oracle-process-'));
});
afterEach(async () => {
  for (const { child, exit } of running.splice(0)) {
    child.kill('SIGKILL');
    await exit;
  }
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startService({ DATA_DIR: dataDir, LOCAL_MODEL_PACE_MS: '5', ...env });
  running.push(service);
  return service;
}

async function authHeaders(env: Record<string, string> = {}): Promise<Record<string, string>> {
  const { stdout } = await runScript('dev-token', { DATA_DIR: dataDir, ...env });
  return { authorization: `Bearer ${stdout.trim()}`, 'x-auth-type': 'ucan', 'content-type': 'application/json' };
}

async function newSession(base: string, headers: Record<string, string>): Promise<string> {
  const reply = await fetch(`${base}/sessions`, { method: 'POST', headers });
  expect(reply.status).toBe(201);
  const { sessionId } = (await reply.json()) as { sessionId: string };
  return sessionId;
}

const send = (base: string, sessionId: string, headers: Record<string, string>, body: object) =>
  fetch(`${base}/messages/${sessionId}`, { method: 'POST', headers, body: JSON.stringify(body) });

async function contents(base: string, sessionId: string, headers: Record<string, string>): Promise<string[]> {
  const reply = await fetch(`${base}/messages/${sessionId}`, { headers });
  const { messages } = (await reply.json()) as { messages: { content: string }[] };
  return messages.map(({ content }) => content);
}

/** Reads a stream, and calls back at the first delta. */
async function readStream(reply: Response, onFirstDelta: () => void): Promise<string> {
  let text = '';
  let isReported = false;
  for await (const chunk of reply.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (isReported || !text.includes('event: message')) continue;
    isReported = true;
    onFirstDelta();
  }
  return text;
}

describe('the service as a process', { timeout: 60_000 }, () => {
  it('accepts its own development token, and has key, sessions and messages after a restart', async () => {
    const first = await start();
    const headers = await authHeaders();
    const sessionId = await newSession(first.base, headers);
    const reply = await send(first.base, sessionId, headers, { message: 'My name is Asha' });
    expect(reply.status).toBe(200);
    first.child.kill('SIGTERM');
    expect(await first.exit).toBe(0);

    const second = await start();
    expect((await contents(second.base, sessionId, headers))[0]).toBe('My name is Asha');
    const renewed = await authHeaders();
    const recalled = await send(second.base, sessionId, renewed, { message: 'What is my name?' });
    expect(((await recalled.json()) as { message: { content: string } }).message.content).toBe('Your name is Asha.');
  });

  it('ends a stream with done on SIGTERM, after the whole answer if time permits', async () => {
    const service = await start();
    const headers = await authHeaders();
    const sessionId = await newSession(service.base, headers);
    const reply = await send(service.base, sessionId, headers, { message: 'count to 100', stream: true });
    const text = await readStream(reply, () => service.child.kill('SIGTERM'));
    const events = parseSse(text);
    expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({ status: 'finished' });
    expect(events.filter(({ event }) => event === 'message')).toHaveLength(100);
    expect(await service.exit).toBe(0);
  });

  it('completes a pending reply on SIGTERM, and then exits', async () => {
    const service = await start({ SHUTDOWN_TIMEOUT_MS: '8000' });
    const headers = await authHeaders();
    const sessionId = await newSession(service.base, headers);
    const reply = send(service.base, sessionId, headers, { message: 'count to 100', returnAllMessages: true });
    await vi.waitFor(async () => expect(await contents(service.base, sessionId, headers)).toHaveLength(1));
    service.child.kill('SIGTERM');
    expect((await reply).status).toBe(200);
    expect(((await (await reply).json()) as { messages: object[] }).messages).toHaveLength(2);
    expect(await service.exit).toBe(0);
  });

  it('interrupts a long answer on SIGTERM, and the partial text is stored', async () => {
    const service = await start({ SHUTDOWN_TIMEOUT_MS: '2000', LOCAL_MODEL_PACE_MS: '50' });
    const headers = await authHeaders();
    const sessionId = await newSession(service.base, headers);
    const reply = await send(service.base, sessionId, headers, { message: 'count to 1000', stream: true });
    const events = parseSse(await readStream(reply, () => service.child.kill('SIGTERM')));
    expect(events.at(-2)?.event).toBe('error');
    const done = JSON.parse(events.at(-1)?.data ?? '') as { partialText: string };
    expect(done).toMatchObject({ status: 'interrupted', interrupted: true });
    expect(await service.exit).toBe(0);
    const second = await start();
    expect(await contents(second.base, sessionId, headers)).toEqual(['count to 1000', done.partialText]);
  });

  it('refuses to start in production without its variables, and names them', async () => {
    const failure = await runScript('main', { NODE_ENV: 'production', DATA_DIR: dataDir }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 78 });
    for (const variable of ['ORACLE_DID', 'ORACLE_SIGNING_SEED', 'SEAL_KEYS', 'DATABASE_URL', 'REDIS_URL']) {
      expect((failure as { stderr: string }).stderr).toContain(variable);
    }
  });

  it('creates no development token in production', async () => {
    const env = {
      NODE_ENV: 'production',
      ALLOW_EMBEDDED: 'true',
      DATA_DIR: dataDir,
      ORACLE_DID: 'did:ixo:entity:jua',
      ORACLE_SIGNING_SEED: randomBytes(32).toString('hex'),
      SEAL_KEYS: randomBytes(32).toString('hex'),
    };
    const failure = await runScript('dev-token', env).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('production') });
  });

  it.skipIf(postgresUrl === undefined)('runs two replicas on one Postgres', async () => {
    const { url, drop } = await freshDatabase();
    const env = { DATABASE_URL: url };
    const [one, two] = await Promise.all([start(env), start(env)]);
    const headers = await authHeaders();
    const sessionId = await newSession(one.base, headers);
    expect((await send(one.base, sessionId, headers, { message: 'My name is Asha' })).status).toBe(200);
    const recalled = await send(two.base, sessionId, headers, { message: 'What is my name?' });
    expect(((await recalled.json()) as { message: { content: string } }).message.content).toBe('Your name is Asha.');
    for (const { child, exit } of [one, two]) {
      child.kill('SIGTERM');
      expect(await exit).toBe(0);
    }
    await drop();
  });
});

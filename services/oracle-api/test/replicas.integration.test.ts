import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-services';
import { mintInvocation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseSse } from '../src/runs/log/parse-sse.fixture.js';
import { closeClients, plainClient, socketIoClient } from '../src/sockets/sockets.fixture.js';
import { runScript, type ServiceProcess, startService } from './service-process.fixture.js';

let dataDir: string;
const cleanUps: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'oracle-replicas-'));
});
afterEach(async () => {
  closeClients();
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startService({ DATA_DIR: dataDir, LOCAL_MODEL_PACE_MS: '20', ...env });
  cleanUps.push(async () => {
    service.child.kill('SIGKILL');
    await service.exit;
  });
  return service;
}

async function authHeaders(env: Record<string, string>): Promise<Record<string, string>> {
  const { stdout } = await runScript('dev-token', { DATA_DIR: dataDir, ...env });
  return { authorization: `Bearer ${stdout.trim()}`, 'x-auth-type': 'ucan', 'content-type': 'application/json' };
}

type Headers = Record<string, string>;

async function newSession(base: string, headers: Headers): Promise<string> {
  const reply = await fetch(`${base}/sessions`, { method: 'POST', headers });
  return ((await reply.json()) as { sessionId: string }).sessionId;
}

const send = (base: string, sessionId: string, headers: Headers, message: string) =>
  fetch(`${base}/messages/${sessionId}`, { method: 'POST', headers, body: JSON.stringify({ message, stream: true }) });

async function contents(base: string, sessionId: string, headers: Headers): Promise<string[]> {
  const reply = await fetch(`${base}/messages/${sessionId}`, { headers });
  return ((await reply.json()) as { messages: { content: string }[] }).messages.map(({ content }) => content);
}

/** Reads a stream up to a number of whole frames, its end or a break, and returns the whole frames. */
async function readFrames(reply: Response, frames: number): Promise<ReturnType<typeof parseSse>> {
  let text = '';
  try {
    for await (const chunk of reply.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (parseSse(text).length >= frames) break;
    }
  } catch {
    // Cut: only whole frames count.
  }
  return parseSse(text).slice(0, frames);
}

const textOf = (events: ReturnType<typeof parseSse>) =>
  events
    .filter(({ event }) => event === 'message')
    .map(({ data }) => (JSON.parse(data) as { content: string }).content)
    .join('');

describe('one replica', { timeout: 60_000 }, () => {
  it('that was killed has the partial text, and reports at its next start that the run was interrupted', async () => {
    const first = await start({});
    const headers = await authHeaders({});
    const sessionId = await newSession(first.base, headers);
    const reply = await send(first.base, sessionId, headers, 'count to 1000');
    const runId = reply.headers.get('x-run-id');
    // The repository receives the answer when leases are renewed.
    const seen = await readFrames(reply, 150);
    first.child.kill('SIGKILL');
    await first.exit;

    const second = await start({});
    await vi.waitFor(
      async () => {
        const run = await fetch(`${second.base}/sessions/${sessionId}/run`, { headers });
        expect(await run.json()).toMatchObject({ run: { runId, status: 'interrupted' } });
      },
      { timeout: 10_000, interval: 100 },
    );
    const [, answer = ''] = await contents(second.base, sessionId, headers);
    expect(answer).toMatch(/^1 2 3 /);
    expect(textOf(seen).startsWith(answer) || answer.startsWith(textOf(seen))).toBe(true);
    const resumed = parseSse(
      await (await fetch(`${second.base}/runs/${runId}?after=${seen.length}`, { headers })).text(),
    );
    expect(resumed.map(({ event }) => event)).toEqual(['run', 'error', 'done']);
    expect(JSON.parse(resumed[2]?.data ?? '')).toMatchObject({ status: 'interrupted', partialText: answer });
  });
});

describe.skipIf(postgresUrl === undefined || redisUrl === undefined)('two replicas', { timeout: 60_000 }, () => {
  const startTwo = async () => {
    const [database, redis] = [await freshDatabase(), await freshRedis()];
    cleanUps.push(
      () => database.drop(),
      () => redis.drop(),
    );
    const env = { DATABASE_URL: database.url, REDIS_URL: redis.url };
    const one = await start(env);
    const two = await start(env);
    const headers = await authHeaders(env);
    return { one, two, headers, sessionId: await newSession(one.base, headers), databaseUrl: database.url };
  };

  it('report an interrupted run within ten seconds after its replica was killed, with the partial text', async () => {
    const { one, two, headers, sessionId } = await startTwo();
    const reply = await send(one.base, sessionId, headers, 'count to 1000');
    const runId = reply.headers.get('x-run-id');
    const followed = fetch(`${two.base}/runs/${runId}`, { headers }).then((stream) => stream.text());
    const seen = await readFrames(reply, 40);
    one.child.kill('SIGKILL');
    const killedMs = performance.now();
    await one.exit;
    // A reader on the other replica stays connected, and gets the end.
    const events = parseSse(await followed);
    expect(performance.now() - killedMs).toBeLessThan(10_000);
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['error', 'done']);
    const done = JSON.parse(events.at(-1)?.data ?? '') as { partialText: string };
    expect(done).toMatchObject({ status: 'interrupted', interrupted: true, partialText: textOf(events) });
    expect(textOf(events).startsWith(textOf(seen))).toBe(true);
    expect(await contents(two.base, sessionId, headers)).toEqual(['count to 1000', done.partialText]);
    const run = await fetch(`${two.base}/sessions/${sessionId}/run`, { headers });
    expect(await run.json()).toMatchObject({ run: { runId, status: 'interrupted' } });
    // A disconnected reader continues at its position.
    const rest = parseSse(await (await fetch(`${two.base}/runs/${runId}?after=${seen.length}`, { headers })).text());
    expect(textOf(seen) + textOf(rest)).toBe(done.partialText);
    // The session accepts messages again.
    const next = parseSse(await (await send(two.base, sessionId, headers, 'count to 3')).text());
    expect(textOf(next)).toBe('1 2 3');
  });

  it('have a message if and only if they have its run, also if the replica is killed at the start of a turn', async () => {
    const { one, two, headers, sessionId, databaseUrl } = await startTwo();
    const sql = postgres(databaseUrl, { max: 2 });
    cleanUps.push(() => sql.end());
    const body = JSON.stringify({ message: 'count to 3', requestId: 'mine' });
    const sendTo = (base: string) => fetch(`${base}/messages/${sessionId}`, { method: 'POST', headers, body });
    // Messages are locked: the turn stores its earlier rows and then waits.
    await sql.begin(async (tx) => {
      await tx`lock table messages in share mode`;
      const sent = sendTo(one.base).catch(() => undefined);
      const waiting = () => sql<{ pid: number }[]>`
        select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: 10_000, interval: 50 });
      one.child.kill('SIGKILL');
      await one.exit;
      // Its pending query ends with it.
      for (const { pid } of await waiting()) await sql`select pg_terminate_backend(${pid})`;
      await sent;
    });
    const run = (await (await fetch(`${two.base}/sessions/${sessionId}/run`, { headers })).json()) as { run: unknown };
    expect(await contents(two.base, sessionId, headers)).toEqual(run.run === null ? [] : ['count to 3']);
    const repeated = await sendTo(two.base);
    expect(repeated.status).toBe(200);
    expect(await contents(two.base, sessionId, headers)).toEqual(['count to 3', '1 2 3']);
  });

  it('complete a stream that is cut repeatedly and continued on the other replica', async () => {
    const { one, two, headers, sessionId } = await startTwo();
    const first = await send(one.base, sessionId, headers, 'count to 150');
    const runId = first.headers.get('x-run-id');
    let events = await readFrames(first, 7);
    for (let turn = 0; events.at(-1)?.event !== 'done'; turn++) {
      const base = turn % 2 === 0 ? two.base : one.base;
      const after = events.at(-1)?.id;
      const reply = await fetch(`${base}/runs/${runId}?after=${after}`, { headers });
      // The first frame of a continued stream is its position.
      events = [...events, ...(await readFrames(reply, 8)).slice(1)];
    }
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, index) => index + 1));
    expect(await contents(two.base, sessionId, headers)).toEqual(['count to 150', textOf(events)]);
  });

  it('close the sockets of a token that was revoked on the other replica, and refuse it from then on', async () => {
    const { one, two, headers } = await startTwo();
    const reply = await fetch(`${one.base}/sessions`, { method: 'POST', headers });
    const { oracleDid: audience } = (await reply.json()) as { oracleDid: string };
    const signer = signerFromSeed(Buffer.alloc(32, 'a'));
    const [lost, other] = [await mintInvocation({ signer, audience }), await mintInvocation({ signer, audience })];
    const own = { ...headers, authorization: `Bearer ${other}` };
    const sessionId = await newSession(one.base, own);
    const stock = socketIoClient(two.base, sessionId, { invocation: lost });
    const plain = plainClient(two.base, sessionId, { invocation: lost });
    const spared = plainClient(two.base, sessionId, { invocation: other });
    await Promise.all([stock, plain, spared].map((client) => client.next('connected')));
    const body = JSON.stringify({ token: await mintRevocation({ signer, audience, token: lost }) });
    const recorded = await fetch(`${one.base}/revocations`, { method: 'POST', headers: own, body });
    expect(recorded.status).toBe(200);
    expect(await plain.closed).toEqual({ code: 4401, reason: 'revoked' });
    expect(await stock.next('disconnect')).toEqual({ reason: 'io server disconnect' });
    expect(await plainClient(two.base, sessionId, { invocation: lost }).closed).toMatchObject({ code: 4401 });
    spared.send('ping');
    await spared.next('pong');
  });

  it('announce a message to sockets of the other replica, where its answer can be read from the first character', async () => {
    const { one, two, headers, sessionId } = await startTwo();
    const invocation = headers['authorization']?.replace('Bearer ', '') ?? '';
    const [stock, plain] = [socketIoClient, plainClient].map((open) => open(two.base, sessionId, { invocation }));
    await Promise.all([stock?.next('connected'), plain?.next('connected')]);
    const reply = await send(one.base, sessionId, headers, 'count to 30');
    const announced = await Promise.all([stock?.next('run_status'), plain?.next('run_status')]);
    const runId = reply.headers.get('x-run-id');
    expect(announced[0]).toMatchObject({ runId, status: 'running', message: 'count to 30', sessionId });
    expect(announced[1]).toEqual(announced[0]);
    const along = await fetch(`${two.base}/runs/${runId}`, { headers });
    expect(parseSse(await along.text())).toEqual(parseSse(await reply.text()));
  });

  it('stop a run of the other replica', async () => {
    const { one, two, headers, sessionId } = await startTwo();
    const reply = await send(one.base, sessionId, headers, 'count to 1000');
    const abort = await fetch(`${two.base}/messages/abort`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ sessionId }),
    });
    expect(await abort.json()).toEqual({ success: true });
    const events = parseSse(await reply.text());
    expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({ status: 'aborted', aborted: true });
  });
});

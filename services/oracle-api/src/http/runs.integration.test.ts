import { sessionRun } from '@mlango/schemas/oracle-runs';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { openRedis, type RedisConnection } from '@mlango/service-kit/redis';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { headersOf, newSession, testApp } from '../../test/app.fixture.js';
import { openTestStores } from '../../test/stores.fixture.js';
import { gate, type Step, scriptedModel } from '../models/scripted-model.fixture.js';
import { MemoryRunLogStore } from '../runs/log/memory.js';
import { parseSse, type SseEvent } from '../runs/log/parse-sse.fixture.js';
import { RedisRunLogStore } from '../runs/log/redis.js';
import type { RunLogStore } from '../runs/log/store.js';
import { RedisRunSignals } from '../runs/redis-signals.js';
import { MemoryRunSignals, type RunSignals } from '../runs/signals.js';

interface RunParts {
  readonly runs: RunLogStore;
  readonly signals: RunSignals;
}

const ashaDid = signerFromSeed(Buffer.alloc(32, 'a')).did;

let asha: Record<string, string>;
beforeAll(async () => {
  asha = await headersOf('a');
});

const apps: HttpApp[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

/** Two replicas with shared stores. */
async function replicas(one: RunParts, two: RunParts, steps: readonly Step[], onConflict?: 'enqueue') {
  const stores = await openTestStores();
  const { model } = scriptedModel(({ messages }) => (messages.at(-1)?.content === 'second' ? ['ok'] : steps));
  const shared = { stores, model, ...(onConflict === undefined ? {} : { onConflict }) };
  const [here, there] = [(await testApp({ ...shared, ...one })).app, (await testApp({ ...shared, ...two })).app];
  apps.push(here, there);
  return { here, there, sessionId: await newSession(here, asha) };
}

const get = (on: HttpApp, url: string, headers = asha) => on.inject({ url, headers });
const post = (on: HttpApp, url: string, payload: object) => on.inject({ method: 'POST', url, headers: asha, payload });
const contentOf = ({ data }: SseEvent) => (JSON.parse(data) as { content?: string }).content ?? '';
const textOf = (events: readonly SseEvent[]) =>
  events.map((event) => (event.event === 'message' ? contentOf(event) : '')).join('');
const dataOf = (event: SseEvent | undefined) => JSON.parse(event?.data ?? 'null') as Record<string, unknown>;
const contents = async (on: HttpApp, sessionId: string) =>
  (await get(on, `/messages/${sessionId}`)).json().messages.map(({ content }: { content: string }) => content);

async function runOf(on: HttpApp, sessionId: string) {
  const { run } = sessionRun.strict().parse((await get(on, `/sessions/${sessionId}/run`)).json());
  return run ?? { runId: '', status: 'none', requestId: '' };
}

const odd = ['Hab', 'ari ', '👋🏾', ' \n\n', 'data: x', '\u2028', ' \ud83d', '\ude00', ' ', 'end'];

function runContract(name: string, open: () => { one: RunParts; two: RunParts }): void {
  describe(`runs on ${name}`, () => {
    it('continue after the last event for a reader that reconnects to the original address', async () => {
      const { one, two } = open();
      const { here, there, sessionId } = await replicas(one, two, odd);
      const whole = parseSse((await post(here, `/messages/${sessionId}`, { message: 'hi', stream: true })).body);
      const { runId } = await runOf(there, sessionId);
      for (const url of [`/runs/${runId}`, `/runs/${runId}?after=2`]) {
        const reply = await get(there, url, { ...asha, 'last-event-id': '5' });
        expect(textOf(whole.slice(0, 5)) + textOf(parseSse(reply.body))).toBe(odd.join(''));
      }
      const refused = await get(here, `/runs/${runId}`, { ...asha, 'last-event-id': 'five' });
      expect([refused.statusCode, refused.json().fields]).toEqual([400, ['last-event-id']]);
    });

    it('give the same text if the stream is cut at any frame and resumed, on either replica', async () => {
      const { one, two } = open();
      const { here, there, sessionId } = await replicas(one, two, odd);
      const whole = parseSse((await post(here, `/messages/${sessionId}`, { message: 'hi', stream: true })).body);
      const { runId } = await runOf(there, sessionId);
      expect(textOf(whole)).toBe(odd.join(''));
      for (const replica of [here, there]) {
        for (let cut = 0; cut <= whole.length; cut++) {
          const reply = await get(replica, `/runs/${runId}?after=${cut}`);
          expect([reply.headers['content-type'], reply.headers['x-run-id']]).toEqual(['text/event-stream', runId]);
          const events = parseSse(reply.body);
          const seen = whole.slice(0, cut);
          expect(textOf(seen) + textOf(events)).toBe(odd.join(''));
          expect(events.at(-1)?.event).toBe('done');
          expect(dataOf(events.at(-1))).toMatchObject({ status: 'finished' });
          const ids = events.map(({ id }) => Number(id));
          expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
          if (cut === 0) expect(events).toEqual(whole);
          else {
            const again = { resumed: true, attempt: 1, partialLength: textOf(seen).length, runId, sessionId };
            expect(dataOf(events[0])).toMatchObject(again);
            if (cut < whole.length) expect(events.slice(1)).toEqual(whole.slice(cut));
          }
        }
      }
    });

    it('give that text from the database after their frames have expired, also to readers in the middle of it', async () => {
      const { one, two } = open();
      const { here, there, sessionId } = await replicas(one, two, odd);
      const whole = parseSse((await post(here, `/messages/${sessionId}`, { message: 'hi', stream: true })).body);
      const { runId, requestId } = await runOf(there, sessionId);
      await one.runs.forget([{ runId, ownerDid: ashaDid }]);
      for (const replica of [here, there]) {
        const fresh = parseSse((await get(replica, `/runs/${runId}`)).body);
        expect(fresh.map(({ event }) => event)).toEqual(['run', 'message', 'done']);
        expect(dataOf(fresh[0])).toEqual({ runId, sessionId, requestId });
        // Clients may have frames of the log or of the database form.
        for (const earlier of [whole, fresh]) {
          for (let cut = 1; cut <= earlier.length; cut++) {
            const seen = earlier.slice(0, cut);
            const events = parseSse((await get(replica, `/runs/${runId}?after=${seen.at(-1)?.id}`)).body);
            expect(textOf(seen) + textOf(events)).toBe(odd.join(''));
            expect(dataOf(events[0])).toMatchObject({ resumed: true, partialLength: textOf(seen).length });
            const ids = events.map(({ id }) => Number(id));
            expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
            expect(dataOf(events.at(-1))).toEqual({ runId, messageId: requestId, status: 'finished' });
          }
        }
      }
    });

    it('are followed live from any frame on any replica', async () => {
      const { opened, open: release } = gate();
      const { one, two } = open();
      const { here, there, sessionId } = await replicas(one, two, ['a', 'b', opened, 'c', 'd']);
      const whole = post(here, `/messages/${sessionId}`, { message: 'hi', stream: true });
      await vi.waitFor(async () => expect((await runOf(there, sessionId)).status).toBe('running'));
      const { runId } = await runOf(there, sessionId);
      const readers = [0, 1, 2, 3].flatMap((after) =>
        [here, there].map(async (replica) => ({ after, reply: await get(replica, `/runs/${runId}?after=${after}`) })),
      );
      setTimeout(release, 50);
      const events = parseSse((await whole).body);
      for (const { after, reply } of await Promise.all(readers))
        expect(parseSse(reply.body).slice(after === 0 ? 0 : 1)).toEqual(events.slice(after));
    });

    it('are aborted from another replica, and the partial text is stored', async () => {
      const { one, two } = open();
      const { here, there, sessionId } = await replicas(one, two, ['part', gate().opened]);
      const stream = post(here, `/messages/${sessionId}`, { message: 'hi', stream: true });
      await vi.waitFor(async () => expect((await runOf(there, sessionId)).status).toBe('running'));
      await vi.waitFor(async () => {
        const { runId } = await runOf(there, sessionId);
        const part = await two.runs.read({ runId, ownerDid: ashaDid }, 1);
        expect(part?.frames).toHaveLength(1);
      });
      expect((await post(there, '/messages/abort', { sessionId })).json()).toEqual({ success: true });
      expect(dataOf(parseSse((await stream).body).at(-1))).toMatchObject({ status: 'aborted', aborted: true });
      expect(await contents(there, sessionId)).toEqual(['hi', 'part']);
      expect((await post(there, '/messages/abort', { sessionId })).json()).toEqual({ success: false });
      expect((await runOf(there, sessionId)).status).toBe('aborted');
    });

    it('are interrupted by a newer message on another replica', async () => {
      const { one, two } = open();
      const { here, there, sessionId } = await replicas(one, two, ['part', gate().opened]);
      const stream = post(here, `/messages/${sessionId}`, { message: 'hi', stream: true });
      await vi.waitFor(async () => expect((await runOf(there, sessionId)).status).toBe('running'));
      const second = await post(there, `/messages/${sessionId}`, { message: 'second' });
      expect(second.json().message.content).toBe('ok');
      expect(dataOf(parseSse((await stream).body).at(-1))).toMatchObject({ status: 'interrupted', interrupted: true });
    });

    it('are queued across replicas if RUN_CONFLICT is enqueue', async () => {
      const { opened, open: release } = gate();
      const { one, two } = open();
      const { here, there, sessionId } = await replicas(one, two, ['first', opened], 'enqueue');
      const first = post(here, `/messages/${sessionId}`, { message: 'hi' });
      await vi.waitFor(async () => expect((await runOf(there, sessionId)).status).toBe('running'));
      const second = post(there, `/messages/${sessionId}`, { message: 'second', stream: true });
      await vi.waitFor(async () => expect(await contents(here, sessionId)).toHaveLength(2));
      release();
      expect((await first).json().message.content).toBe('first');
      expect((await second).headers['x-run-status']).toBe('queued');
      expect(textOf(parseSse((await second).body))).toBe('ok');
      expect(await contents(here, sessionId)).toEqual(['hi', 'first', 'second', 'ok']);
    });

    it('are deleted with their session: frames, record and stream', async () => {
      const { one, two } = open();
      const { here, there, sessionId } = await replicas(one, two, ['text']);
      await post(here, `/messages/${sessionId}`, { message: 'hi' });
      const { runId } = await runOf(there, sessionId);
      const key = { runId, ownerDid: ashaDid };
      expect(await one.runs.read(key, 0)).toBeDefined();
      await there.inject({ method: 'DELETE', url: `/sessions/${sessionId}`, headers: asha });
      expect(await one.runs.read(key, 0)).toBeUndefined();
      expect((await get(here, `/sessions/${sessionId}/run`)).json()).toEqual({ run: null });
    });

    it('end their streams with done also after the log was lost', async () => {
      const { one, two } = open();
      const { here, there, sessionId } = await replicas(one, two, ['text']);
      await post(here, `/messages/${sessionId}`, { message: 'hi' });
      const { runId, requestId } = await runOf(there, sessionId);
      await one.runs.forget([{ runId, ownerDid: ashaDid }]);
      const events = parseSse((await get(there, `/runs/${runId}?after=2`)).body);
      expect(events.map(({ event }) => event)).toEqual(['run', 'done']);
      expect(dataOf(events[1])).toEqual({ runId, messageId: requestId, status: 'finished' });
    });
  });
}

const memory = () => ({
  runs: new MemoryRunLogStore({ retentionMs: 60_000, limitChars: 10_000_000 }, Date.now),
  signals: new MemoryRunSignals(),
});

runContract('one process', () => {
  const parts = memory();
  return { one: parts, two: parts };
});

describe.skipIf(redisUrl === undefined)('with Redis', () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const connections: RedisConnection[] = [];
  let fresh: Awaited<ReturnType<typeof freshRedis>>;
  beforeAll(async () => {
    fresh = await freshRedis();
    for (const name of ['one', 'two'])
      connections.push(await openRedis({ url: fresh.url, logger, connectionName: name }));
  });
  afterAll(async () => {
    for (const connection of connections) await connection.close();
    await fresh.drop();
  });
  runContract('two replicas', () => {
    const [one, two] = connections.map((redis) => {
      const subscriber = redis.subscriber('runs');
      return {
        runs: new RedisRunLogStore(redis.client, subscriber, { retentionMs: 60_000 }),
        signals: new RedisRunSignals(redis.client, subscriber),
      };
    });
    if (one === undefined || two === undefined) throw new Error('not open');
    return { one, two };
  });
});

describe('the stream of a run', () => {
  it.each(['-1', 'x', '1.5', '9007199254740993'])('is refused with the position %j', async (after) => {
    const { here } = await replicas(memory(), memory(), []);
    const reply = await get(here, `/runs/x?after=${after}`);
    expect([reply.statusCode, reply.json().statusCode]).toEqual([400, 400]);
    expect(reply.json().message).toContain('after');
  });

  it('is 404, as JSON, if the run does not exist or belongs to another user', async () => {
    const parts = memory();
    const { here, sessionId } = await replicas(parts, parts, ['text']);
    await post(here, `/messages/${sessionId}`, { message: 'hi' });
    const { runId } = await runOf(here, sessionId);
    const bo = { ...(await headersOf('b')), 'x-request-id': 'same' };
    const absent = await get(here, '/runs/b2c7d0a4-0000-4000-8000-000000000000', bo);
    const foreign = await get(here, `/runs/${runId}`, bo);
    expect(absent.json()).toEqual({ statusCode: 404, error: 'Not Found', message: 'Run not found' });
    expect([foreign.statusCode, foreign.body, foreign.headers['content-type']]).toEqual([
      absent.statusCode,
      absent.body,
      absent.headers['content-type'],
    ]);
    expect(foreign.headers['x-run-id']).toBeUndefined();
    expect((await get(here, `/sessions/${sessionId}/run`, bo)).json()).toEqual({ run: null });
    expect((await get(here, '/sessions/nowhere/run', bo)).json()).toEqual({ run: null });
  });
});

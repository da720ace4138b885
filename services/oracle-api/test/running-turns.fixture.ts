import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase } from '@mlango/test-services/real-services';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { parseSse, type SseEvent } from '../src/runs/log/parse-sse.fixture.js';
import { runScript, startService } from './service-process.fixture.js';

interface StartedRedis {
  readonly url: string;
  readonly remove: () => Promise<void>;
}

export const countTo = (last: number) => Array.from({ length: last }, (_, at) => String(at + 1)).join(' ');
export const dataOf = ({ data }: SseEvent) => JSON.parse(data) as Record<string, unknown>;
export const textOf = (events: readonly SseEvent[]) =>
  events.map((each) => (each.event === 'message' ? String(dataOf(each)['content']) : '')).join('');
/** Lost ranges that the stream reports. */
export const lostIn = (events: readonly SseEvent[]) =>
  events.filter(({ event }) => event === 'run').flatMap((each) => dataOf(each)['lost'] ?? []);
export const isWhole = (events: readonly SseEvent[]) =>
  events.every(({ id }, at) => Number(id) === at + 1) && events.at(-1)?.event === 'done';

/** A stream during reading: its events so far, and all events after its end. Rejects if the request is refused. */
function reading(pending: Promise<Response>) {
  let text = '';
  const whole = (async () => {
    const reply = await pending;
    if (!reply.ok) throw new Error(`no stream but ${reply.status}: ${await reply.text()}`);
    for await (const chunk of reply.body ?? []) text += Buffer.from(chunk).toString();
    return parseSse(text);
  })();
  // The error reaches the callers that await `whole`.
  whole.catch(() => {});
  return { whole, soFar: () => parseSse(text) };
}

/** Gives each test of a file replicas on their own Redis and on a fresh database. */
export function replicasOfTests() {
  let dataDir: string;
  const cleanUps: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'oracle-redis-lost-'));
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function replicas<Started extends StartedRedis>(count: number, redis: Started) {
    const database = await freshDatabase();
    cleanUps.push(
      () => database.drop(),
      () => redis.remove(),
    );
    const env = { DATA_DIR: dataDir, DATABASE_URL: database.url, REDIS_URL: redis.url, LOCAL_MODEL_PACE_MS: '40' };
    const bases: string[] = [];
    for (let at = 0; at < count; at++) {
      const service = await startService(env);
      cleanUps.push(async () => {
        service.child.kill('SIGKILL');
        await service.exit;
      });
      bases.push(service.base);
    }
    const [one = '', two = one] = bases;
    const { stdout } = await runScript('dev-token', { DATA_DIR: dataDir });
    const headers = {
      authorization: `Bearer ${stdout.trim()}`,
      'x-auth-type': 'ucan',
      'content-type': 'application/json',
    };
    const open = async () => {
      const reply = await fetch(`${one}/sessions`, { method: 'POST', headers });
      return ((await reply.json()) as { sessionId: string }).sessionId;
    };
    const send = async (body: object) =>
      fetch(`${one}/messages/${await open()}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const resume = (base: string, runId: string, after: number) =>
      reading(fetch(`${base}/runs/${runId}?after=${after}`, { headers }));
    /** Starts two turns: one is streamed, one is awaited whole. */
    const underWay = async (words: number) => {
      const asJson = send({ message: `count to ${words}` });
      const stream = reading(send({ message: `count to ${words}`, stream: true }));
      await vi.waitFor(() => expect(stream.soFar().length).toBeGreaterThan(8), 10_000);
      return { asJson, stream, runId: String(dataOf(stream.soFar()[0] as SseEvent)['runId']) };
    };
    const empty = async () => {
      const client = new Redis(redis.url);
      await client.flushall();
      await client.quit();
    };
    const answerOf = async (asJson: Promise<Response>) => {
      const reply = await asJson;
      return [reply.status, ((await reply.json()) as { message: { content: string } }).message.content];
    };
    return { one, two, redis, underWay, resume, empty, answerOf };
  }
  return replicas;
}

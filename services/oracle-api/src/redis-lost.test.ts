import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-services';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseSse, type SseEvent } from './runs/parse-sse.fixture.js';
import { runScript, startService } from './service-process.fixture.js';

let dataDir: string;
const cleanUps: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'oracle-redis-lost-'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  await rm(dataDir, { recursive: true, force: true });
});

const countTo = (last: number) => Array.from({ length: last }, (_, at) => String(at + 1)).join(' ');
const dataOf = ({ data }: SseEvent) => JSON.parse(data) as Record<string, unknown>;
const textOf = (events: readonly SseEvent[]) =>
  events.map((each) => (each.event === 'message' ? String(dataOf(each)['content']) : '')).join('');
/** What a reader is told that it cannot be told. */
const lostIn = (events: readonly SseEvent[]) =>
  events.filter(({ event }) => event === 'run').flatMap((each) => dataOf(each)['lost'] ?? []);
const isWhole = (events: readonly SseEvent[]) =>
  events.every(({ id }, at) => Number(id) === at + 1) && events.at(-1)?.event === 'done';

/** A stream that is being read: what has come of it so far, and all of it once it has ended. */
function reading(reply: Promise<Response>) {
  let text = '';
  const whole = (async () => {
    for await (const chunk of (await reply).body ?? []) text += Buffer.from(chunk).toString();
    return parseSse(text);
  })();
  return { whole, soFar: () => parseSse(text) };
}

async function replicas(count: number) {
  const [database, redis] = [await freshDatabase(), await startRedis()];
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
    ...{ authorization: `Bearer ${stdout.trim()}`, 'x-auth-type': 'ucan' },
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
  /** A turn whose stream is read, and one whose answer is waited for, both under way. */
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

describe.skipIf(!canStartRedis || postgresUrl === undefined)('a turn that is under way', { timeout: 90_000 }, () => {
  it('goes on in its process when Redis is killed: streams, those that come back to it, and whole answers', async () => {
    const { one, redis, underWay, resume, answerOf } = await replicas(1);
    const { asJson, stream, runId } = await underWay(100);
    await redis.kill();
    const before = stream.soFar().length;
    // While it is away, and not in one piece at the end.
    await vi.waitFor(() => expect(stream.soFar().length).toBeGreaterThan(before + 5), 5_000);
    expect(stream.soFar().at(-1)?.event).toBe('message');
    const again = resume(one, runId, 3);
    const all = await stream.whole;
    expect([isWhole(all), textOf(all), dataOf(all.at(-1) as SseEvent)['status']]).toEqual([
      true,
      countTo(100),
      'finished',
    ]);
    const rest = await again.whole;
    expect(textOf(all.slice(0, 3)) + textOf(rest)).toBe(countTo(100));
    expect(rest.at(-1)?.event).toBe('done');
    expect(await answerOf(asJson)).toEqual([200, countTo(100)]);
  });

  it('goes on in its process when Redis is emptied, and its stream says what cannot be read again', async () => {
    const { one, two, underWay, resume, empty, answerOf } = await replicas(2);
    const { asJson, stream, runId } = await underWay(100);
    await empty();
    const [here, there] = [resume(one, runId, 5), resume(two, runId, 5)];
    const all = await stream.whole;
    expect([isWhole(all), textOf(all), dataOf(all.at(-1) as SseEvent)['status']]).toEqual([
      true,
      countTo(100),
      'finished',
    ]);
    for (const { whole } of [here, there]) {
      const rest = await whole;
      expect(textOf(all.slice(0, 5)) + textOf(rest)).toBe(countTo(100));
      expect(lostIn(rest).at(-1)).toEqual({ from: 1, to: expect.any(Number) });
      expect(rest.at(-1)?.event).toBe('done');
    }
    const late = await resume(two, runId, 0).whole;
    expect([textOf(late), late[0]?.event, late.at(-1)?.event]).toEqual([countTo(100), 'run', 'done']);
    expect(await answerOf(asJson)).toEqual([200, countTo(100)]);
  });

  it('is told of at another replica when Redis is killed: what cannot be read now, and then the rest', async () => {
    const { two, redis, underWay, resume } = await replicas(2);
    const { stream, runId } = await underWay(300);
    const followed = resume(two, runId, 0);
    await vi.waitFor(() => expect(textOf(followed.soFar()).length).toBeGreaterThan(10), 10_000);
    await redis.kill();
    const late = resume(two, runId, 5);
    await vi.waitFor(() => expect(lostIn(followed.soFar())).toHaveLength(1), 12_000);
    await vi.waitFor(() => expect(lostIn(late.soFar())).toEqual([{ from: 6 }]), 12_000);
    expect(stream.soFar().at(-1)?.event, 'the turn is still under way').toBe('message');
    const all = await stream.whole;
    expect([isWhole(all), textOf(all)]).toEqual([true, countTo(300)]);
    expect(textOf(await followed.whole)).toBe(countTo(300));
    const rest = await late.whole;
    expect(textOf(all.slice(0, 5)) + textOf(rest)).toBe(countTo(300));
    expect(dataOf(rest.at(-1) as SseEvent)).toMatchObject({ status: 'finished' });
  });

  it('loses nothing of its log when Redis hangs for a while', async () => {
    const { two, redis, underWay, resume } = await replicas(2);
    const { stream, runId } = await underWay(100);
    redis.pause();
    await vi.waitFor(() => expect(stream.soFar().length).toBeGreaterThan(40), 10_000);
    redis.resume();
    const all = await stream.whole;
    expect([isWhole(all), textOf(all)]).toEqual([true, countTo(100)]);
    const again = await resume(two, runId, 0).whole;
    expect([textOf(again), lostIn(again)]).toEqual([countTo(100), []]);
  });
});

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-services';
import postgres from 'postgres';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTestOracle } from '../src/create-test-oracle.js';
import { scriptedModel } from '../src/models/scripted-model.fixture.js';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Two replicas with models that answer on request, and counters of their database load. */
async function replicas(env: Record<string, string> = {}) {
  const [database, redis] = [await freshDatabase(), await freshRedis()];
  const sql = postgres(database.url, { max: 1 });
  cleanUps.push(
    () => database.drop(),
    () => redis.drop(),
    () => sql.end(),
  );
  const answers: (() => void)[] = [];
  const held = () => [new Promise<void>((resolve) => answers.push(resolve)), 'ok'];
  const shared = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    RUN_CONFLICT: 'enqueue',
    ORACLE_SIGNING_SEED: '5e'.repeat(32),
    SEAL_KEYS: `k:${Buffer.alloc(32, 'k').toString('base64')}`,
    ...env,
  };
  const open = async () => {
    const { model } = scriptedModel((request) => (request.instructions?.includes('title') === true ? ['t'] : held()));
    const oracle = await createTestOracle({ env: shared, model });
    cleanUps.push(() => oracle.close());
    return oracle;
  };
  const [one, two] = [await open(), await open()];
  const user = await one.newUser();
  const send = (oracle: typeof one, sessionId: string, message: string) =>
    oracle.inject({ method: 'POST', url: `/messages/${sessionId}`, headers: user.headers, payload: { message } });
  const queued = async () =>
    (await sql<{ n: number }[]>`select count(*)::int as n from runs where status = 'queued'`)[0]?.n;
  const transactions = async () =>
    Number(
      (
        await sql`select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()`
      )[0]?.['n'],
    );
  const backends = async () =>
    (await sql<{ n: number }[]>`select count(*)::int as n from pg_stat_activity where datname = current_database()`)[0]
      ?.n;
  return { one, two, user, send, queued, transactions, backends, answers };
}

describe.skipIf(postgresUrl === undefined || redisUrl === undefined)('queued messages of a session', () => {
  it('cause few database transactions, and start on the other replica as soon as a run ends', {
    timeout: 60_000,
  }, async () => {
    const { one, two, user, send, queued, transactions, backends, answers } = await replicas({
      RUN_QUEUE_PER_SESSION: '200',
    });
    const sessionId = await user.openSession();
    const first = send(one, sessionId, 'first');
    await vi.waitFor(() => expect(answers).toHaveLength(1), 10_000);
    const second = send(two, sessionId, 'second');
    await vi.waitFor(async () => expect(await queued()).toBe(1), 10_000);
    const others = Array.from({ length: 150 }, (_, at) => send(at % 2 === 0 ? one : two, sessionId, `m${at}`));
    await vi.waitFor(async () => expect(await queued()).toBe(151), { timeout: 20_000, interval: 100 });
    // A backend reports its statistics when it ends; idle backends end after some seconds.
    await vi.waitFor(async () => expect(await backends()).toBeLessThanOrEqual(6), { timeout: 20_000, interval: 500 });
    await sleep(1_500);
    const before = await transactions();
    await sleep(4_000);
    // Each of the two replicas renews leases and looks for abandoned runs twice in three seconds; one query here adds to that.
    const each = ((await transactions()) - before) / 4;
    expect(each).toBeLessThan(15);

    // The start does not depend on the poll interval of 1.5 seconds.
    const endedMs = performance.now();
    answers.shift()?.();
    expect((await first).statusCode).toBe(200);
    await vi.waitFor(() => expect(answers).toHaveLength(1), { timeout: 10_000, interval: 5 });
    expect(performance.now() - endedMs).toBeLessThan(1_400);
    answers.shift()?.();
    expect((await second).json()).toMatchObject({ message: { content: 'ok' } });
    const abort = { method: 'POST', url: '/messages/abort', headers: user.headers, payload: { sessionId } } as const;
    expect((await two.inject(abort)).json()).toEqual({ success: true });
    await Promise.all(others);
    expect(await queued()).toBe(0);
  });

  it('are limited per session and per user, over all replicas', { timeout: 60_000 }, async () => {
    const { one, two, user, send, queued, answers } = await replicas({
      RUN_QUEUE_PER_SESSION: '3',
      RUN_QUEUE_PER_USER: '4',
    });
    const sessions = [await user.openSession(), await user.openSession()];
    const running = sessions.map((sessionId) => send(one, sessionId, 'runs'));
    await vi.waitFor(() => expect(answers).toHaveLength(2), 10_000);
    const refused: { statusCode: number; body: string }[] = [];
    const sent: Promise<unknown>[] = [];
    for (const sessionId of sessions) {
      const all = Array.from({ length: 6 }, (_, at) => send(at % 2 === 0 ? one : two, sessionId, randomUUID()));
      sent.push(...all);
      for (const each of all) void each.then((reply) => reply.statusCode === 429 && refused.push(reply));
      const least = refused.length + (sessionId === sessions[0] ? 3 : 5);
      await vi.waitFor(() => expect(refused).toHaveLength(least), 10_000);
    }
    expect(await queued()).toBe(4);
    expect(JSON.parse(refused[0]?.body ?? '')).toEqual({
      statusCode: 429,
      error: 'Too Many Requests',
      message: expect.stringContaining('Too many of your messages are queued'),
    });
    for (const sessionId of sessions) {
      await one.inject({ method: 'POST', url: '/messages/abort', headers: user.headers, payload: { sessionId } });
    }
    await Promise.all([...running, ...sent]);
  });
});

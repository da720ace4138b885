import { setTimeout as sleep } from 'node:timers/promises';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-services';
import postgres from 'postgres';
import { expect, it, vi } from 'vitest';
import { createTestOracle } from '../src/create-test-oracle.js';
import { scriptedModel } from '../src/models/scripted-model.fixture.js';

/** Longer than a lease; leases are renewed on their own connection. */
const busyMs = 8_000;
const isReal = postgresUrl !== undefined && redisUrl !== undefined;

it.skipIf(!isReal)(
  'a run is not taken over while its process waits for the database',
  { timeout: 60_000 },
  async () => {
    const [database, redis] = [await freshDatabase(), await freshRedis()];
    const sql = postgres(database.url, { max: 1 });
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      DATABASE_POOL_MAX: '2',
      ORACLE_SIGNING_SEED: '5e'.repeat(32),
      SEAL_KEYS: `k:${Buffer.alloc(32, 'k').toString('base64')}`,
    };
    let answer: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { model } = scriptedModel(['so far', held, ' and so on']);
    const [one, two] = [await createTestOracle({ env, model }), await createTestOracle({ env, model })];
    const user = await one.newUser();
    const sessionId = await user.openSession();
    const { headers } = user;
    const sent = one.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload: { message: 'hi' } });
    await vi.waitFor(() => expect(answer).toBeDefined());
    await vi.waitFor(
      async () => expect(await sql`select 1 from runs where partial_text <> ''`).toHaveLength(1),
      10_000,
    );
    const requests: Promise<number>[] = [];
    await sql.begin(async (tx) => {
      await tx`lock table sessions in access exclusive mode`;
      // Each connection of the pool waits for the table, and more requests wait for connections.
      for (let at = 0; at < 6; at++)
        requests.push(one.inject({ url: '/sessions', headers }).then((reply) => reply.statusCode));
      await sleep(busyMs);
    });
    expect(await Promise.all(requests)).toEqual(Array<number>(6).fill(200));
    expect(await sql`select status from runs`).toEqual([{ status: 'running' }]);
    answer?.();
    expect((await sent).json()).toMatchObject({ message: { content: 'so far and so on' } });
    await one.close();
    await two.close();
    await sql.end();
    await database.drop();
    await redis.drop();
  },
);

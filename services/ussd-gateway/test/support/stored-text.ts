import { openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { sql } from 'drizzle-orm';
import { Redis } from 'ioredis';
import { expect } from 'vitest';
import * as schema from '../../src/accounts/schema.js';
import { migrationsFolder } from '../../src/deps/open-accounts.js';

/** Every key of a Redis database, and every value as JSON. */
export async function everythingInRedis(url: string): Promise<string[]> {
  const redis = new Redis(url);
  try {
    const keys = await redis.keys('*');
    const values = await Promise.all(keys.map(async (key) => JSON.stringify(await read(redis, key))));
    return [...keys, ...values];
  } finally {
    redis.disconnect();
  }
}

async function read(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === 'string') return redis.get(key);
  if (type === 'hash') return redis.hgetall(key);
  if (type === 'zset') return redis.zrange(key, '0', '-1');
  if (type === 'stream') return redis.xrange(key, '-', '+');
  return type === 'none' ? undefined : Promise.reject(new Error(`unknown type ${type}`));
}

/** Every row of every table outside of Postgres's own, as a dump prints it. */
export function everythingInPostgres(url: string): Promise<string[]> {
  return onPostgres(url, async (rowsOf) => {
    const tables = await rowsOf(sql`select table_schema as schema, table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
    const rows = await Promise.all(
      tables.map(({ schema: within, name }) =>
        rowsOf(
          sql`select each::text as row from ${sql.identifier(String(within))}.${sql.identifier(String(name))} each`,
        ),
      ),
    );
    return rows.flat().map(({ row }) => String(row));
  });
}

export async function countCustomers(url: string): Promise<number> {
  return (await onPostgres(url, (rowsOf) => rowsOf(sql`select id from customers`))).length;
}

/** Number of questions and answers in each session of the oracle. */
export function countTalks(url: string): Promise<Record<string, unknown>[]> {
  const talks = sql`
    select count(*) filter (where type = 'human')::int as asked, count(*) filter (where type = 'ai' and content <> '')::int as answered
    from messages group by session_id`;
  return onPostgres(url, (rowsOf) => rowsOf(talks));
}

/**
 * Resolves once every outcome is marked as shown, which happens after its reply was sent: an earlier dial shows the
 * outcome again.
 */
export function untilAcknowledged(url: string): Promise<void> {
  const unacknowledged = sql`select key from effect_intents where outcome is not null and told_at is null`;
  return onPostgres(url, async (rowsOf) => {
    await expect.poll(() => rowsOf(unacknowledged), { timeout: 20_000 }).toEqual([]);
  });
}

async function onPostgres<Result>(
  url: string,
  work: (rowsOf: (query: ReturnType<typeof sql>) => Promise<Record<string, unknown>[]>) => Promise<Result>,
): Promise<Result> {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const database = await openDatabase({ url, dataDir: '', schema, migrationsFolder, logger });
  try {
    return await work(async (query) => (await database.db.execute(query)) as Record<string, unknown>[]);
  } finally {
    await database.close();
  }
}

import { Redis } from 'ioredis';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { freshDatabase, freshKeyPrefix, freshRedis, postgresUrl, redisUrl } from './real-services.js';

describe.skipIf(redisUrl === undefined)('the shared Redis', () => {
  it('gives two test files separate databases', async () => {
    const [first, second] = await Promise.all([freshRedis(), freshRedis()]);
    expect(first.url).not.toBe(second.url);
    const [one, two] = [new Redis(first.url), new Redis(second.url)];
    await one.set('name', 'first');
    expect(await two.get('name')).toBeNull();
    await first.drop();
    expect(await one.get('name')).toBeNull();
    await second.drop();
    one.disconnect();
    two.disconnect();
  });

  it('gives unique prefixes', () => {
    expect(freshKeyPrefix()).not.toBe(freshKeyPrefix());
  });
});

describe.skipIf(postgresUrl === undefined)('the shared Postgres', () => {
  it('gives empty databases, also several at once', async () => {
    const databases = await Promise.all([freshDatabase(), freshDatabase(), freshDatabase()]);
    expect(new Set(databases.map(({ url }) => url)).size).toBe(3);
    for (const { url, drop } of databases) {
      const sql = postgres(url, { max: 1 });
      expect(await sql`select 1 from pg_tables where schemaname = 'public'`).toHaveLength(0);
      await sql.end();
      await drop();
    }
  });

  it('drops a database with open connections', async () => {
    const { url, drop } = await freshDatabase();
    const sql = postgres(url, { max: 1, connect_timeout: 2 });
    await sql`select 1`;
    await drop();
    await expect(sql`select 1`).rejects.toThrow();
    await sql.end({ timeout: 1 });
  });
});

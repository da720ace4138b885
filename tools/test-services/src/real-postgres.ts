import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { locate } from './locate.js';

/** The shared Postgres of this run, or undefined if the machine has none: `describe.skipIf(postgresUrl === undefined)`. */
export const postgresUrl: string | undefined = await locate('postgres');

export interface FreshDatabase {
  readonly url: string;
  /** The rows of a query. */
  readonly read: (query: string) => Promise<readonly Record<string, unknown>[]>;
  /** Removes it, in spite of open connections. */
  readonly drop: () => Promise<void>;
}

/** An empty database on the shared Postgres. */
export async function freshDatabase(): Promise<FreshDatabase> {
  if (postgresUrl === undefined) throw new Error('there is no real Postgres here');
  const name = `mlango_test_${randomBytes(8).toString('hex')}`;
  await administer((sql) => sql.unsafe(`create database ${name} template template0`));
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    read: async (query) => {
      const sql = postgres(url.href, { max: 1, connect_timeout: 10, onnotice: () => {} });
      try {
        return await sql.unsafe(query);
      } finally {
        await sql.end({ timeout: 5 });
      }
    },
    drop: () => administer((sql) => sql.unsafe(`drop database if exists ${name} with (force)`)),
  };
}

const TEMPLATE_BUSY = '55006';

async function administer(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  if (postgresUrl === undefined) return;
  const sql = postgres(postgresUrl, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await work(sql);
        return;
      } catch (error) {
        if (attempt === 10 || !(error instanceof postgres.PostgresError) || error.code !== TEMPLATE_BUSY) throw error;
        await sleep(100);
      }
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { launchPostgres } from './postgres-server.js';
import type { RealServer } from './real-server.js';

export interface SmallPostgres extends RealServer {
  /** For an ordinary role with the unreserved slots: three slots less than all, and one for `admin`. */
  readonly url: string;
  /** A superuser, on one connection. */
  readonly admin: postgres.Sql;
  /** Connections of the role now, by the names that they gave. */
  readonly connections: () => Promise<ReadonlyMap<string, number>>;
}

/** A Postgres with few slots, and a database that belongs to an ordinary role. */
export async function launchSmallPostgres(maxConnections: number): Promise<SmallPostgres> {
  const server = await launchPostgres({ maxConnections });
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  const remove = async (): Promise<void> => {
    await admin.end({ timeout: 1 });
    await server.remove();
  };
  const password = randomBytes(12).toString('hex');
  try {
    await admin.unsafe(`create role service login password '${password}'`);
    await admin.unsafe('create database service owner service');
  } catch (error) {
    await remove();
    throw error;
  }
  const url = Object.assign(new URL(server.url), { username: 'service', password, pathname: '/service' });
  return {
    ...server,
    url: url.href,
    admin,
    connections: async () => {
      const rows = await admin<{ name: string; count: number }[]>`
        select application_name as name, count(*)::int as count from pg_stat_activity
        where usename = 'service' group by 1`;
      return new Map(rows.map(({ name, count }) => [name, count]));
    },
    remove,
  };
}

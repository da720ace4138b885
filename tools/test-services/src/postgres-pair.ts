import postgres from 'postgres';
import { launchPostgres, type PostgresServer } from './postgres-server.js';
import { until } from './redis-cluster.js';

export interface PostgresPair {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** Both servers in one address; the client selects the one that accepts writes. */
  readonly url: string;
  /** Resolves when the standby has the current data of the primary. */
  readonly replicated: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** A primary and its hot standby. Acknowledged writes are on the standby's disk, though they may not be visible yet. */
export async function launchPostgresPair(): Promise<PostgresPair> {
  const primary = await launchPostgres();
  const started = [primary];
  const remove = async (): Promise<void> => {
    await Promise.all(started.map((server) => server.remove()));
  };
  try {
    const standby = await launchPostgres({ standbyOf: primary.url });
    started.push(standby);
    await ask(primary, async (sql) => {
      await sql`alter system set synchronous_standby_names = '*'`;
      await sql`select pg_reload_conf()`;
      await until(async () => (await sql`select 1 from pg_stat_replication where sync_state = 'sync'`).length === 1);
    });
    const url = primary.url.replace(/(@[^/]+)/, `$1,${new URL(standby.url).host}`);
    return { primary, standby, url, replicated: () => replicated(primary, standby), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function replicated(primary: PostgresServer, standby: PostgresServer): Promise<void> {
  const [written] = await ask(primary, (sql) => sql`select pg_current_wal_flush_lsn()::text as place`);
  const place = String(written?.['place']);
  await ask(standby, (sql) =>
    until(async () => {
      const [row] = await sql`select pg_last_wal_replay_lsn() >= ${place}::pg_lsn as shown`;
      return row?.['shown'] === true;
    }),
  );
}

async function ask<T>(server: PostgresServer, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(server.url, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

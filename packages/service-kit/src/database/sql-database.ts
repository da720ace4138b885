import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** A drizzle schema: the object of `import * as schema`. */
export type Schema = Record<string, unknown>;

/**
 * The one drizzle type of all repositories, for every driver. Its transactions have the same type. Use the query builders and
 * `.returning()`; the result of a bare `execute()` differs by driver, hence `unknown`.
 */
export type SqlDatabase<TSchema extends Schema> = PgDatabase<PgQueryResultHKT, TSchema>;

/** Load of a pool, counted since the start. A transaction counts as one statement. */
export interface PoolLoad {
  readonly maxConnections: number;
  /** Running statements, and those that wait for a connection. */
  readonly underWay: number;
  readonly begun: number;
  /** Total duration of finished statements, including waits. */
  readonly seconds: number;
  /** Connections refused because the server had no free slot. */
  readonly refusals: number;
}

/** For reads that may be some seconds old. */
export type StaleDatabase<TSchema extends Schema> = Pick<SqlDatabase<TSchema>, 'select'>;

/** State of a replica that serves stale reads. */
export interface ReplicaState {
  /** Whether it is used now. */
  readonly isRead: boolean;
  /** Lag of its answers; undefined while unknown. */
  readonly lagMs: number | undefined;
  /** Stale reads, by the server that answered. */
  readonly reads: { readonly replica: number; readonly primary: number };
}

/** An open database. Guarantees hold for both kinds. */
export interface DatabaseConnection<TSchema extends Schema> {
  readonly db: SqlDatabase<TSchema>;
  /**
   * The same on a separate connection, opened on use: for few short statements that must not wait for the pool. The embedded database
   * has one connection for all.
   */
  readonly aside: SqlDatabase<TSchema>;
  /**
   * For reads that may be some seconds old, never after a write of the same caller. Uses a replica within its allowed lag, else
   * `db`.
   */
  readonly stale: StaleDatabase<TSchema>;
  /** The same for reads that a user starts at will: a statement ends after 1 second. The embedded database has no such limit. */
  readonly brief: StaleDatabase<TSchema>;
  /** The same, never stale: for reads that may depend on a write of the same caller. */
  readonly briefPrimary: Pick<SqlDatabase<TSchema>, 'select' | 'with' | '$with'>;
  /**
   * The same for the statements of a part of the service: logged in as the role of its tables if it has one, on at most
   * two separate connections.
   */
  readonly ownedBy: (owner: string) => SqlDatabase<TSchema>;
  readonly kind: 'pglite' | 'postgres';
  /** Load of the pool; absent for the embedded database. */
  readonly load?: PoolLoad;
  /** Absent without a replica. */
  readonly replica?: ReplicaState;
  /** Resolves once the migrations are applied; rejects only when the connection is closed before that. */
  readonly migrated: Promise<void>;
  /** One real query within a second. Rejects if the database is unavailable, closed, or not migrated. */
  readonly ping: () => Promise<void>;
  /** Ends within five seconds in any case. Idempotent. */
  readonly close: () => Promise<void>;
}

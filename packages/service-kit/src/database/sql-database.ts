import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** A drizzle schema: the object that `import * as schema` gives. */
export type Schema = Record<string, unknown>;

/**
 * The one drizzle type that repositories see, whichever driver is behind it. Its transactions have the same type. Use the
 * query builders and `.returning()`; what a bare `execute()` resolves to differs by driver, hence `unknown`.
 */
export type SqlDatabase<TSchema extends Schema> = PgDatabase<PgQueryResultHKT, TSchema>;

/** What a pool has to do, counted since the start. Transactions count as one statement. */
export interface PoolLoad {
  readonly maxConnections: number;
  /** Of them as many run as there are connections; the others wait for one. */
  readonly underWay: number;
  readonly begun: number;
  /** Time that those which have ended took, waiting included. */
  readonly seconds: number;
  /** Times that the server had no free slot. */
  readonly refusals: number;
}

/** What is read where the answer may be some seconds old. */
export type StaleDatabase<TSchema extends Schema> = Pick<SqlDatabase<TSchema>, 'select'>;

/** A replica that statements are read from in the place of the primary. */
export interface ReplicaState {
  /** Whether they are at this moment. */
  readonly isRead: boolean;
  /** How old its answers may be; undefined while that is not known. */
  readonly lagMs: number | undefined;
  /** Statements that may be stale, by who has answered them. */
  readonly reads: { readonly replica: number; readonly primary: number };
}

/** An open database. Guarantees hold for both kinds. */
export interface DatabaseConnection<TSchema extends Schema> {
  readonly db: SqlDatabase<TSchema>;
  /**
   * The same on a connection of its own, opened when it is used: for a few short statements that may not wait until the pool has
   * time. The embedded database has one connection for all.
   */
  readonly aside: SqlDatabase<TSchema>;
  /**
   * For reading what may be some seconds old, never for what depends on a write of the same caller. From a replica where there is one that
   * is well and not too far behind, and otherwise the same as `db`.
   */
  readonly stale: StaleDatabase<TSchema>;
  /** The same for reads that a user starts at will: a statement ends after 1 second. The embedded database has no such limit. */
  readonly brief: StaleDatabase<TSchema>;
  /** The same, never stale: for what may depend on a write of the same caller. */
  readonly briefPrimary: Pick<SqlDatabase<TSchema>, 'select' | 'with' | '$with'>;
  /**
   * The same for the statements of a part of the service: logged in as the role of its tables if it has one, on at most
   * two connections of its own.
   */
  readonly ownedBy: (owner: string) => SqlDatabase<TSchema>;
  readonly kind: 'pglite' | 'postgres';
  /** What its pool has to do; absent for the embedded database. */
  readonly load?: PoolLoad;
  /** Absent where there is none. */
  readonly replica?: ReplicaState;
  /** Resolves once the migrations are applied; rejects only when the connection is closed before that. */
  readonly migrated: Promise<void>;
  /** One real query within a second. Rejects when the database is away, closed, or its migrations are not applied. */
  readonly ping: () => Promise<void>;
  /** Ends within five seconds, whatever the database does. Safe to call twice. */
  readonly close: () => Promise<void>;
}

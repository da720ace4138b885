import type { Logger } from '../logging/index.js';
import type { OwnedTables } from './migrations/own-tables.js';
import type { PostgresLimits } from './postgres/postgres-client.js';
import type { ReplicaOptions } from './postgres/replica.js';
import type { Schema } from './sql-database.js';

export interface DatabaseOptions<TSchema extends Schema> {
  /**
   * `postgres://user:password@host:port/database`, or several hosts with one primary (`one:5432,other:5432`). Without it the
   * embedded Postgres in `dataDir` is used.
   */
  readonly url?: string | undefined;
  /** The server behind `url`, if that is a pooler in transaction mode. Migrations use it. */
  readonly directUrl?: string | undefined;
  /** Certificate authority of all these servers, as PEM: certificates and host names are then checked. */
  readonly ca?: string | undefined;
  /** A hot standby for stale reads. */
  readonly replica?: ReplicaOptions | undefined;
  /** The service's own folder, `memory://`, or for tests `memory://reused` (see `open-pglite.ts`). Unused if there is a `url`. */
  readonly dataDir: string;
  readonly schema: TSchema;
  /** A folder that drizzle-kit generated. The same one serves both kinds. */
  readonly migrationsFolder: string;
  /** Tables of parts of the service, such as plugins: migrated after the folder, in this order. */
  readonly ownedTables?: readonly OwnedTables[] | undefined;
  readonly logger: Logger;
  /** The name of this process in the server's own views. */
  readonly applicationName?: string | undefined;
  /** Only for a Postgres server. Defaults: 10 connections, 5 s to connect, 15 s for a statement, 5 s for a free slot. */
  readonly limits?: Partial<PostgresLimits> | undefined;
  /**
   * Prepares statements outside transactions, on each connection from the second execution on, so that the server parses the text
   * once. At most 200 per connection, because each stays on the server as long as its connection. Without effect behind a pooler
   * in transaction mode. The server may then reuse one plan for all values, so one plan must fit them all. Stale reads are never
   * prepared and are planned for their values each time. Default: false.
   */
  readonly prepare?: boolean | undefined;
}

/** The options for a Postgres server. */
export interface PostgresOptions<TSchema extends Schema> extends Omit<DatabaseOptions<TSchema>, 'dataDir'> {
  readonly url: string;
}

/** The options for the embedded database. */
export type PgliteOptions<TSchema extends Schema> = Pick<
  DatabaseOptions<TSchema>,
  'dataDir' | 'schema' | 'migrationsFolder' | 'ownedTables' | 'logger'
>;

import {
  PgDatabase,
  PgDialect,
  PgPreparedQuery,
  type PgQueryResultHKT,
  PgSession,
  type PreparedQueryConfig,
} from 'drizzle-orm/pg-core';
import { PluginError } from '../../plugin-kit/plugin-error.js';
import type { PluginDatabase } from '../../plugin-kit/plugin-tables.js';

/** The oracle's database, whichever of its schemas the type names. */
export interface WholeDatabase {
  readonly _: { readonly session: unknown };
  transaction<Result>(work: (tx: WholeDatabase) => Promise<Result>): Promise<Result>;
}
type PrepareArgs = Parameters<PgSession['prepareQuery']>;

/**
 * A database of which only what `refusal` lets through can be asked. Each statement is judged as text, when it has its last form;
 * what was refused rejects with a `PluginError`. Nothing that a caller can get hold of leads to the whole database: what does
 * is private to the language, and neither results in the driver's form nor settings of a transaction pass.
 */
export function boundedDatabase(whole: WholeDatabase, refusal: (sql: string) => string | undefined): PluginDatabase {
  const session = new BoundedSession(whole, refusal);
  const db = new PgDatabase<PgQueryResultHKT>(new PgDialect(), session, undefined);
  return Object.freeze({
    select: db.select.bind(db),
    insert: db.insert.bind(db),
    update: db.update.bind(db),
    delete: db.delete.bind(db),
    transaction: <Result>(work: (tx: PluginDatabase) => Promise<Result>) =>
      whole.transaction((tx) => work(boundedDatabase(tx, refusal))),
  } satisfies Record<keyof PluginDatabase, unknown>) as PluginDatabase;
}

class BoundedSession extends PgSession {
  readonly #whole: WholeDatabase;
  readonly #refusal: (sql: string) => string | undefined;

  constructor(whole: WholeDatabase, refusal: (sql: string) => string | undefined) {
    super(new PgDialect());
    this.#whole = whole;
    this.#refusal = refusal;
  }

  prepareQuery<T extends PreparedQueryConfig>(query: PrepareArgs[0], fields: PrepareArgs[1]): PgPreparedQuery<T> {
    // Read once: what is judged is what runs.
    const { params } = query;
    const sql = String(query.sql);
    const whole = this.#whole;
    const refusal = this.#refusal;
    return new BoundedQuery<T>(sql, params, async (values, nullable) => {
      const problem = refusal(sql);
      if (problem !== undefined)
        throw new PluginError(`a plugin asked the database for what is not its own: ${problem}`);
      const prepared = (whole._.session as PgSession).prepareQuery<T>(
        { sql, params },
        fields,
        undefined,
        fields !== undefined,
      );
      Object.assign(prepared, { joinsNotNullableMap: nullable });
      const result = await prepared.execute(values);
      return fields === undefined ? undefined : result;
    });
  }

  transaction<T>(): Promise<T> {
    return Promise.reject(new PluginError('a transaction is begun by the database that the plugin was given'));
  }
}

type Run = (values: Record<string, unknown> | undefined, nullable: unknown) => Promise<unknown>;

class BoundedQuery<T extends PreparedQueryConfig> extends PgPreparedQuery<T> {
  /** Set by drizzle where a query joins tables. */
  joinsNotNullableMap: unknown;
  readonly #run: Run;

  constructor(sql: string, params: unknown[], run: Run) {
    super({ sql, params }, undefined, undefined);
    this.#run = run;
  }

  execute(values?: Record<string, unknown>): Promise<T['execute']> {
    return this.#run(values, this.joinsNotNullableMap);
  }
}

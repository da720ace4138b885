import { migrationsFolderOf, type SqlDatabase, type StaleDatabase } from '@mlango/service-kit/database';
import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type * as schema from './oracle-schema.js';

/** The oracle's own tables, in Postgres or PGlite. */
export type OracleDatabase = SqlDatabase<typeof schema>;

/** The same for reads of any size on user request: Postgres aborts a statement after 1 second. */
export type BriefOracleDatabase = Pick<OracleDatabase, 'select' | 'with' | '$with'>;

/** The same for reads that may be seconds old. */
export type StaleOracleDatabase = StaleDatabase<typeof schema>;

/** The SQL migrations of the oracle's own tables. */
export const migrationsFolder = migrationsFolderOf(import.meta.url);

/** Text that Postgres can store: without NUL, and with replacement characters for lone surrogates. */
export function storableText(text: string): string {
  return Buffer.from(text.replaceAll('\u0000', ''), 'utf8').toString('utf8');
}

/** The same for every text in a JSON value, field names included. */
export function storableJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) => {
    if (typeof part === 'string') return storableText(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, field]) => [storableText(name), field]));
  }) as T;
}

/** Postgres text has no NUL: an id with one is absent, and a query for it would fail. */
export function isStorable(id: string): boolean {
  return !id.includes('\u0000');
}

type Nullable<Row> = { [Name in keyof Row]: null extends Row[Name] ? Name : never }[keyof Row];

/** A row without its null fields. */
export type WithoutNulls<Row> = Omit<Row, Nullable<Row>> & { [Name in Nullable<Row>]?: NonNullable<Row[Name]> };

/** The columns of a row that are not null. Pure. */
export function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  // A loop, because a turn converts each message of its window and entry lists are several times slower.
  const present: Partial<Row> = {};
  for (const name of Object.keys(row) as (keyof Row)[]) if (row[name] !== null) present[name] = row[name];
  return present as WithoutNulls<Row>;
}

/** A time relative to now, by the clock of the database, which all processes share. */
export function fromNow(ms: number | Placeholder): SQL {
  return sql`now() + ${ms}::double precision * interval '1 millisecond'`;
}

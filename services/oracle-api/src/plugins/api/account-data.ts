import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { OracleDatabase } from '../../store/database.js';

/** One row of a user's data in an export: JSON, without secrets. */
export interface OwnRow {
  /** Words of `a-z`, `0-9` and `-`. Rows of one kind are consecutive. */
  readonly kind: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** Rows that a deletion of a user's data has to leave, with the reason. */
export interface KeptRows {
  readonly kind: string;
  /** Absent if unknown. */
  readonly count?: number;
  /** Reason, shown to the user. */
  readonly why: string;
}

/** Result of deleting a user's data. */
export interface ForgottenRows {
  /** Number of deleted rows, by kind. */
  readonly deleted: Readonly<Record<string, number>>;
  readonly kept?: readonly KeptRows[];
}

/**
 * Page size of exports. Small, because one message can have megabytes of tool calls and several exports run at once.
 */
export const pageRows = 25;

/**
 * Iterates over all rows of `read`, one page at a time, and reads each page only when it is needed.
 * @param read returns at most `pageRows` rows that follow the given row in a stable order; the first page without it
 */
export async function* inPages<Row>(read: (after: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row, void> {
  let last: Row | undefined;
  for (;;) {
    const rows: Row[] = await read(last);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < pageRows) return;
  }
}

/** Iterates over all rows of a source that is paged by offset. */
export async function* byOffset<Row>(read: (offset: number) => Promise<readonly Row[]>): AsyncGenerator<Row, void> {
  for (let offset = 0, rows = await read(0); rows.length > 0; rows = await read(offset)) {
    yield* rows;
    offset += rows.length;
  }
}

/** Rows of a table that belong to an owner. */
export interface OwnedRows {
  readonly table: PgTable;
  readonly isOwned: SQL;
  /** Columns to read. */
  readonly columns: Readonly<Record<string, PgColumn>>;
  /** Columns that order and identify the rows; none for at most one row. */
  readonly by: readonly string[];
}

/** Rows of an owner in a table, with all columns except the owner's unless `columns` are named. */
export function ownRows(
  table: PgTable & { readonly ownerDid: PgColumn },
  did: string,
  by: readonly string[],
  { ownerDid: _owner, ...columns }: OwnedRows['columns'] = getTableColumns(table),
): OwnedRows {
  return { table, isOwned: eq(table.ownerDid, did), columns, by };
}

/** All rows by kind, in pages, each read on demand. */
export async function* rowsByKind(
  db: Pick<OracleDatabase, 'select'>,
  kinds: Readonly<Record<string, OwnedRows>>,
): AsyncGenerator<OwnRow, void> {
  for (const [kind, rows] of Object.entries(kinds)) for await (const row of rowsInOrder(db, rows)) yield { kind, row };
}

function rowsInOrder(db: Pick<OracleDatabase, 'select'>, { table, isOwned, columns, by }: OwnedRows) {
  const place = by.flatMap((name) => columns[name] ?? []);
  const list = (parts: readonly unknown[]) =>
    sql`(${sql.join(
      parts.map((part) => sql`${part}`),
      sql`, `,
    )})`;
  return inPages((after?: Readonly<Record<string, unknown>>) =>
    db
      .select({ ...columns })
      .from(table)
      .where(and(isOwned, after && sql`${list(place)} > ${list(by.map((name) => after[name]))}`))
      .orderBy(...place)
      .limit(pageRows),
  );
}

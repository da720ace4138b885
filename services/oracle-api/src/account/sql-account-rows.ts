import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { OracleDatabase } from '../store/database.js';
import { inPages, type OwnRow, pageRows } from './account-data.js';

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

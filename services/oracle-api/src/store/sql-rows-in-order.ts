import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { inPages, pageRows } from '../plugins/api/in-pages.js';
import type { OwnRow } from '../plugins/api/own-rows.js';
import type { OracleDatabase } from './oracle-database.js';

/** Rows of a table that are somebody's. */
export interface OwnedRows {
  readonly table: PgTable;
  readonly isOwned: SQL;
  /** What is read of each. */
  readonly columns: Readonly<Record<string, PgColumn>>;
  /** Those of the columns that the rows are in the order of, and told apart by; none where there is one row at most. */
  readonly by: readonly string[];
}

/** Those of a table that say whose they are, with all that they say beside that unless `columns` are named. */
export function ownRows(
  table: PgTable & { readonly ownerDid: PgColumn },
  did: string,
  by: readonly string[],
  { ownerDid: _owner, ...columns }: OwnedRows['columns'] = getTableColumns(table),
): OwnedRows {
  return { table, isOwned: eq(table.ownerDid, did), columns, by };
}

/** All rows, kind by kind, a page at a time, each page when it is asked for. */
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

import { type SQL, sql } from 'drizzle-orm';
import type { DatabaseConnection, Schema, SqlDatabase } from './sql-database.js';

type Database = SqlDatabase<Schema>;
type Row = Readonly<Record<string, unknown>>;

const ROWS_AT_ONCE = 200;

/**
 * Copies all rows of one database into another with the same migrations and no rows, in one transaction. The source must not be
 * written to meanwhile. Resolves with the number of rows.
 *
 * @throws {Error} if the second has rows already
 */
export async function moveRows(from: DatabaseConnection<Schema>, to: DatabaseConnection<Schema>): Promise<number> {
  await Promise.all([from.migrated, to.migrated]);
  const tables = await tablesOf(from.db);
  return to.db.transaction(async (target) => {
    let moved = 0;
    for (const table of tables) {
      const [found] = await rowsOf(target, sql`select 1 from ${sql.identifier(table)} limit 1`);
      if (found !== undefined)
        throw new Error(`the table ${table} has rows already: rows are moved into an empty database`);
      moved += await moveTable(from.db, target, table);
    }
    return moved;
  });
}

/** Copies as JSON that the servers write and read, so that no value is converted here. */
async function moveTable(from: Database, to: Database, table: string): Promise<number> {
  const name = sql.identifier(table);
  const written = await rowsOf(
    to,
    sql`select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`,
  );
  const columns = sql.join(
    written.map(({ name: column }) => sql.identifier(String(column))),
    sql`, `,
  );
  let moved = 0;
  for (;;) {
    const page = sql`select * from ${name} order by ctid limit ${ROWS_AT_ONCE} offset ${moved}`;
    const [read] = await rowsOf(
      from,
      sql`select count(*)::int as count, json_agg(page)::text as rows from (${page}) page`,
    );
    const count = Number(read?.['count']);
    if (count === 0) break;
    const values = sql`select ${columns} from json_populate_recordset(null::${name}, ${read?.['rows']}::json)`;
    await to.execute(sql`insert into ${name} (${columns}) overriding system value ${values}`);
    moved += count;
  }
  // Sequences continue after the copied rows.
  const counted = sql`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and (is_identity = 'YES' or column_default like 'nextval(%')`;
  for (const { name: column } of await rowsOf(to, counted)) {
    const last = sql`(select max(${sql.identifier(String(column))}) from ${name})`;
    await to.execute(
      sql`select setval(pg_get_serial_sequence(${`"${table}"`}, ${column}), ${last}) where ${last} is not null`,
    );
  }
  return moved;
}

/** Tables in the order of their foreign keys: referenced tables first. */
async function tablesOf(db: Database): Promise<string[]> {
  const tables = await rowsOf(db, sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`);
  const points = await rowsOf(
    db,
    sql`select child.relname as child, parent.relname as parent from pg_constraint
      join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
      where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`,
  );
  const left = new Set(tables.map(({ name }) => String(name)));
  const ordered: string[] = [];
  while (left.size > 0) {
    const next = [...left].filter(
      (name) => !points.some(({ child, parent }) => child === name && left.has(String(parent))),
    );
    if (next.length === 0) throw new Error(`tables reference each other: ${[...left].join(', ')}`);
    ordered.push(...next);
    for (const name of next) left.delete(name);
  }
  return ordered;
}

/** Drivers differ in the result of `execute`. */
async function rowsOf(db: Database, statement: SQL): Promise<readonly Row[]> {
  const result = await db.execute(statement);
  return (Array.isArray(result) ? result : (result as unknown as { rows: Row[] }).rows) as readonly Row[];
}

import { type SQL, sql } from 'drizzle-orm';
import type { Schema, SqlDatabase } from './sql-database.js';

/** A part of a service, such as a plugin, that has tables of its own. */
export interface OwnedTables {
  readonly owner: string;
  /** Names of the tables that its migrations create. */
  readonly names: readonly string[];
  /** Tables of the service that its rows may refer to, `on delete cascade`. */
  readonly refersTo: readonly string[];
  /** Known by their names. One statement each. */
  readonly migrations: readonly { readonly name: string; readonly sql: readonly string[] }[];
  /** The login that its statements run with. Without one they run with the service's own. */
  readonly role?: TableRole;
}

/** A login of Postgres with rights to the tables of one owner alone. */
export interface TableRole {
  readonly name: string;
  /** Printable ASCII. Set when the role is created, never changed. */
  readonly password: string;
}

/**
 * Watches a transaction that changes the tables of one owner. The function that it resolves to throws when the transaction has
 * since locked, created, changed or dropped a table that is not the owner's, or another object of the database, and names it.
 * Each statement takes a lock on every table that it reads or changes, and holds it until the transaction ends, so the locks
 * show reads and changes of rows too. Finds mistakes: code of the process can reach the database without it.
 */
export async function watchOwnTables<TSchema extends Schema>(
  tx: SqlDatabase<TSchema>,
  part: OwnedTables,
): Promise<() => Promise<void>> {
  const read = async () => {
    const found = { name: sql<string>`name`, version: sql<string>`version` };
    return new Map((await tx.select(found).from(objectsBeside(part))).map(({ name, version }) => [name, version]));
  };
  const before = await read();
  return async () => {
    const after = await read();
    const names = new Set([...before.keys(), ...after.keys()]);
    const changed = [...names].filter((name) => before.get(name) !== after.get(name)).sort();
    if (changed.length === 0) return;
    throw new Error(`${part.owner}: its migrations use or change what is not its own: ${changed.join(', ')}`);
  };
}

/** SQL: whether `table`, an alias of `pg_class`, is one of these tables, in the schema that a name without one stands for. */
export function isOneOf(table: string, names: readonly string[]): SQL {
  const name = sql.raw(`${table}.relname`);
  const list =
    names.length === 0
      ? sql`false`
      : sql`${name} in (${sql.join(
          names.map((one) => sql`${one}`),
          sql`, `,
        )})`;
  return sql`(${sql.raw(table)}.relnamespace = current_schema()::regnamespace and ${list})`;
}

/** SQL: whether `schema`, an alias of `pg_namespace`, holds what users make, those of other sessions aside. */
export function isOfUsers(schema: string): SQL {
  return sql.raw(
    `${schema}.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and not pg_is_other_temp_schema(${schema}.oid)`,
  );
}

/** What a foreign key to a table locks it with, as it is made, checked and dropped. */
const referring = sql`('AccessShareLock', 'RowShareLock', 'ShareRowExclusiveLock', 'AccessExclusiveLock')`;

/** SQL: objects of the database beside the owner's tables, their indexes and their sequences, with what tells a change. */
function objectsBeside({ names, refersTo }: OwnedTables): SQL {
  const inUse = sql`select string_agg(l.mode, ' ' order by l.mode) from pg_locks l
    where l.locktype = 'relation' and l.relation = t.oid and l.pid = pg_backend_pid()
      and not (${isOneOf('t', refersTo)} and l.mode in ${referring})`;
  return sql`(
    select 'table ' || t.oid::regclass as name, concat_ws(' ', t.relowner, t.relacl, pg_relation_filenode(t.oid),
        (select string_agg(a.ctid::text, ' ' order by a.attnum) from pg_attribute a where a.attrelid = t.oid),
        (select string_agg(g.ctid::text, ' ' order by g.oid) from pg_trigger g where g.tgrelid = t.oid and not g.tgisinternal),
        (${inUse})) as version
      from pg_class t join pg_namespace n on n.oid = t.relnamespace
      where ${isOfUsers('n')} and t.relkind not in ('i', 'I') and not ${isOneOf('t', names)}
        and not exists (select from pg_depend d join pg_class o on o.oid = d.refobjid
          where t.relkind = 'S' and d.classid = 'pg_class'::regclass and d.objid = t.oid
            and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i') and ${isOneOf('o', names)})
    union all select format('foreign key %s, which is not on delete cascade', f.conname), ''
      from pg_constraint f join pg_class t on t.oid = f.conrelid join pg_class o on o.oid = f.confrelid
      where ${isOneOf('t', names)} and not ${isOneOf('o', names)} and f.confdeltype <> 'c'
    union all select 'function ' || p.oid::regprocedure, p.ctid::text
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${isOfUsers('n')}
    union all select 'type ' || y.oid::regtype, y.ctid::text
      from pg_type y join pg_namespace n on n.oid = y.typnamespace
      where ${isOfUsers('n')} and y.typtype <> 'c' and y.typcategory <> 'A'
    union all select 'schema ' || n.nspname, n.ctid::text from pg_namespace n where n.nspname !~ '^pg_'
    union all select 'extension ' || e.extname, e.ctid::text from pg_extension e
    union all select 'setting ' || s.name, s.setting from pg_settings s where s.source = 'session'
    union all select 'the transaction', pg_current_xact_id()::text
  ) as beside`;
}

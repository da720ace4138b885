import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { Schema, SqlDatabase } from '../sql-database.js';

/** A part of a service, such as a plugin, that owns tables. */
export interface OwnedTables {
  readonly owner: string;
  /** Names of the tables that its migrations create. */
  readonly names: readonly string[];
  /** Tables of the service that its rows may refer to, `on delete cascade`. */
  readonly refersTo: readonly string[];
  /** Identified by their names. One statement each. */
  readonly migrations: readonly { readonly name: string; readonly sql: readonly string[] }[];
  /** The login that its statements run with. Without one they run with the service's own. */
  readonly role?: TableRole;
}

/** A login of Postgres with rights to the tables of one owner only. */
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
    return new Map((await tx.select(found).from(otherObjects(part))).map(({ name, version }) => [name, version]));
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

/** SQL: whether `table`, an alias of `pg_class`, is one of these tables, in the schema of unqualified names. */
function isOneOf(table: string, names: readonly string[]): SQL {
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

/** SQL: whether `schema`, an alias of `pg_namespace`, contains user objects, except those of other sessions. */
function isOfUsers(schema: string): SQL {
  return sql.raw(
    `${schema}.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and not pg_is_other_temp_schema(${schema}.oid)`,
  );
}

/** Locks that creating, checking and dropping a foreign key takes on the referenced table. */
const referring = sql`('AccessShareLock', 'RowShareLock', 'ShareRowExclusiveLock', 'AccessExclusiveLock')`;

/** SQL: objects of the database, except the owner's tables with their indexes and sequences, with a version that shows changes. */
function otherObjects({ names, refersTo }: OwnedTables): SQL {
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
  ) as other_changes`;
}

/**
 * Grants a role read and write access to the rows of the owner's tables. Creates a missing role, which needs CREATEROLE.
 * @throws for a missing role that cannot be created, and for one with further rights, which the message names.
 */
export async function grantOwnTables<TSchema extends Schema>(
  tx: SqlDatabase<TSchema>,
  { owner, names }: OwnedTables,
  { name, password }: TableRole,
): Promise<void> {
  const role = sql.identifier(name);
  const found = await textsOf(tx, sql`select rolname from pg_roles where rolname = ${name}`);
  if (found.length === 0) {
    const mayCreate = sql`select rolname from pg_roles where rolname = current_user and (rolcreaterole or rolsuper)`;
    if ((await textsOf(tx, mayCreate)).length === 0) {
      throw new Error(`${owner}: the role "${name}" is missing, and creating it needs CREATEROLE`);
    }
    await tx.execute(sql`create role ${role} login password ${sql.raw(`'${scramVerifier(password)}'`)}`);
  }
  const [database = '', schema = ''] = await textsOf(
    tx,
    sql`values (current_database()::text), (current_schema()::text)`,
  );
  await tx.execute(sql`grant connect on database ${sql.identifier(database)} to ${role}`);
  await tx.execute(sql`grant usage on schema ${sql.identifier(schema)} to ${role}`);
  const tables = sql`select t.relname::text from pg_class t where ${isOneOf('t', names)} and t.relkind in ('r', 'p')`;
  for (const table of await textsOf(tx, tables)) {
    await tx.execute(sql`grant select, insert, update, delete on ${sql.identifier(table)} to ${role}`);
  }
  const sequences = sql`select s.relname::text from pg_class s join pg_depend d on d.objid = s.oid and d.deptype = 'a'
    join pg_class t on t.oid = d.refobjid where s.relkind = 'S' and ${isOneOf('t', names)}`;
  for (const sequence of await textsOf(tx, sequences)) {
    await tx.execute(sql`grant usage on sequence ${sql.identifier(sequence)} to ${role}`);
  }
  const further = await textsOf(tx, otherRights(name, names));
  if (further.length > 0) {
    throw new Error(`${owner}: the role "${name}" has rights beside those to its tables: ${further.join(', ')}`);
  }
}

/** SQL: rights of a role, granted to it, to PUBLIC or to other roles, except to read and change rows of these tables. */
function otherRights(role: string, names: readonly string[]): SQL {
  return sql`
    select format('use of table %s', t.oid::regclass) from pg_class t join pg_namespace n on n.oid = t.relnamespace
      where ${isOfUsers('n')} and t.relkind in ('r', 'p', 'v', 'm', 'f') and not ${isOneOf('t', names)}
        and (has_table_privilege(${role}, t.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
          or has_any_column_privilege(${role}, t.oid, 'SELECT, INSERT, UPDATE, REFERENCES'))
    union all select format('CREATE in schema %s', n.nspname) from pg_namespace n
      where n.nspname !~ '^pg_' and has_schema_privilege(${role}, n.oid, 'CREATE')
    union all select format('membership in %s', m.roleid::regrole) from pg_auth_members m
      where m.member = (select oid from pg_roles where rolname = ${role})
    union all select 'the attributes of an administrator' from pg_roles where rolname = ${role}
      and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)`;
}

/** The only column of a query. */
async function textsOf<TSchema extends Schema>(tx: SqlDatabase<TSchema>, query: SQL): Promise<string[]> {
  const rows = await tx.select({ text: sql<string>`text` }).from(sql`(${query}) as found (text)`);
  return rows.map(({ text }) => text);
}

/** The stored form of a password in Postgres (RFC 5803). Sent in its place, it keeps the password out of the server's log. */
function scramVerifier(password: string): string {
  const [salt, iterations] = [randomBytes(16), 4096];
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyOf = (label: string) => createHmac('sha256', salted).update(label).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`;
}

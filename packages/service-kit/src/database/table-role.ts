import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { isOfUsers, isOneOf, type OwnedTables, type TableRole } from './own-tables.js';
import type { Schema, SqlDatabase } from './sql-database.js';

/**
 * Gives a role the rows of the owner's tables to read and change. Creates the role where it is missing, which needs CREATEROLE.
 * @throws for a role that is missing and cannot be created, and for one that has further rights, which the message names.
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
  const further = await textsOf(tx, rightsBeside(name, names));
  if (further.length > 0) {
    throw new Error(`${owner}: the role "${name}" has rights beside those to its tables: ${further.join(', ')}`);
  }
}

/** SQL: what a role may do beside reading and changing rows of these tables, by rights of its own, of PUBLIC or of other roles. */
function rightsBeside(role: string, names: readonly string[]): SQL {
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

/** What Postgres stores of a password (RFC 5803). Sent in its place, it keeps the password out of the server's log. */
function scramVerifier(password: string): string {
  const [salt, iterations] = [randomBytes(16), 4096];
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyOf = (label: string) => createHmac('sha256', salted).update(label).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`;
}

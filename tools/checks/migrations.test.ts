import { describe, expect, it } from 'vitest';
import { checkMigrations, contractingMigrations, migrationsToRelease, tablesOfTwoServices } from './migrations.mjs';
import { repositoryRoot } from './project-files.mjs';

const released = { tag: '0000_notes', sql: 'CREATE TABLE "notes" ("id" text PRIMARY KEY NOT NULL, "title" text);' };
const findingsIn = (sql: string) => contractingMigrations([released, { tag: '0001_next', sql }], released.tag, '0.2.0');

describe('migrations', () => {
  it('of services and plugins only expand the tables of the newest release', async () => {
    expect(await checkMigrations(repositoryRoot)).toEqual([]);
    const next = JSON.parse(await migrationsToRelease(repositoryRoot)) as Record<string, string>;
    expect(Object.keys(next)).toEqual(expect.arrayContaining(['oracle-api', 'ussd-gateway', 'plugin memory']));
  });

  it('of two services create no table of the same name, so that services can share a database', () => {
    const of = (service: string, sql: string) => [service, [{ tag: '0000_first', sql }]] as const;
    const notes = of('one', 'CREATE TABLE "notes" ("id" text);');
    expect(tablesOfTwoServices([notes, of('two', 'create table if not exists papers (id text)')])).toEqual([]);
    expect(tablesOfTwoServices([notes, of('two', 'create table if not exists public.notes (id text)')])).toEqual([
      'two: the table notes belongs to one: name it otherwise',
    ]);
  });

  it.each([
    ['drops a table', 'DROP TABLE "notes";'],
    ['drops a table', 'drop table if exists public.notes cascade'],
    ['drops a column', 'ALTER TABLE "notes" DROP COLUMN "title";'],
    ['drops a column', 'ALTER TABLE notes ADD COLUMN "a" text, DROP COLUMN IF EXISTS title'],
    ['drops a column', 'alter table only notes drop title'],
    ['drops a view', 'DROP FUNCTION take_pin_attempt(text);'],
    ['renames', 'ALTER TABLE "notes" RENAME COLUMN "title" TO "name";'],
    ['renames', 'ALTER TABLE "notes" RENAME TO "papers";'],
    ['adds a required column', 'ALTER TABLE "notes" ADD COLUMN "owner" text NOT NULL;'],
    ['makes a column required', 'ALTER TABLE "notes" ALTER COLUMN "title" SET NOT NULL;'],
    ['changes a type', 'ALTER TABLE "notes" ALTER COLUMN "title" SET DATA TYPE integer;'],
    ['changes a type', 'ALTER TABLE notes ALTER title TYPE integer'],
    ['drops a default', 'ALTER TABLE "notes" ALTER COLUMN "title" DROP DEFAULT;'],
    ['adds a constraint', 'ALTER TABLE "notes" ADD CONSTRAINT "one" UNIQUE("title");'],
    ['adds a unique index', 'CREATE UNIQUE INDEX "one" ON "notes" USING btree ("title");'],
    ['deletes rows', '-- Rows without a title.\nDELETE FROM "notes" WHERE "title" IS NULL;'],
  ])('%s is refused: %s', (takes, sql) => {
    expect(findingsIn(sql)).toEqual([expect.stringMatching(new RegExp(`^0001_next: ${takes}.*may need it$`))]);
  });

  it.each([
    'ALTER TABLE "notes" ADD COLUMN "owner" text;',
    `ALTER TABLE "notes" ADD COLUMN "owner" text DEFAULT 'nobody' NOT NULL;`,
    'ALTER TABLE "notes" ALTER COLUMN "title" DROP NOT NULL;',
    'ALTER TABLE "notes" ALTER COLUMN "title" SET DEFAULT now();',
    'ALTER TABLE "notes" DROP CONSTRAINT "one";',
    'DROP INDEX "notes_title";--> statement-breakpoint\nCREATE INDEX "notes_title" ON "notes" USING btree ("title");',
    'CREATE TABLE "papers" ("id" text);--> statement-breakpoint\nALTER TABLE "papers" ADD CONSTRAINT "a" UNIQUE("id");',
    'CREATE FUNCTION sweep() RETURNS void LANGUAGE sql AS $$ DELETE FROM notes; DROP TABLE notes; $$;',
    `UPDATE "notes" SET "title" = 'a; DROP TABLE notes';`,
    '-- DROP TABLE "notes";',
  ])('an expansion is accepted: %s', (sql) => expect(findingsIn(sql)).toEqual([]));

  it('a table that is not released yet may change, also in a later migration', () => {
    const migrations = [
      released,
      { tag: '0001_next', sql: 'CREATE TABLE "papers" ("id" text);' },
      { tag: '0002_after', sql: 'ALTER TABLE "papers" ADD COLUMN "owner" text NOT NULL;' },
    ];
    expect(contractingMigrations(migrations, released.tag, '0.2.0')).toEqual([]);
    expect(contractingMigrations(migrations, '0001_next', '0.2.0')).toHaveLength(1);
  });

  it('a contraction is accepted with a note that names a published release', () => {
    const drop = 'ALTER TABLE "notes" DROP COLUMN "title";';
    expect(findingsIn(`-- unused since 0.2.0, 2027-01-15: titles are in papers\n${drop}`)).toEqual([]);
    for (const [note, problem] of [
      ['0.3.0, 2027-01-15: titles are in papers', '0.3.0 is not released'],
      ['0.10.0, 2027-01-15: titles are in papers', '0.10.0 is not released'],
      ['0.1.0, 2027-01-15:', 'write "-- unused since'],
      ['long ago', 'write "-- unused since'],
    ]) {
      expect(findingsIn(`-- unused since ${note}\n${drop}`)).toEqual([expect.stringContaining(problem ?? '')]);
    }
  });

  it('a released migration must stay', () => {
    expect(contractingMigrations([], released.tag, '0.2.0')).toEqual([expect.stringContaining('databases have it')]);
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core';
import { afterAll } from 'vitest';

export const notes = pgTable('notes', {
  id: serial('id').primaryKey(),
  title: text('title').notNull().unique('notes_title_unique'),
  tags: text('tags').array().notNull().default([]),
  body: jsonb('body').$type<{ text: string }>(),
  writtenAt: timestamp('written_at', { withTimezone: true }),
});

export const schema = { notes };

export interface MigrationText {
  readonly tag: string;
  readonly when: number;
  readonly sql: string;
}

export const createNotes: MigrationText = {
  tag: '0000_notes',
  when: 1_700_000_000_000,
  sql: [
    "create table notes (id serial primary key, title text not null, tags text[] not null default '{}', body jsonb, written_at timestamptz);",
    'alter table notes add constraint notes_title_unique unique (title);',
  ].join('\n--> statement-breakpoint\n'),
};

export const countRuns: MigrationText = {
  tag: '0001_runs',
  when: 1_700_000_001_000,
  // Fails when it runs a second time.
  sql: 'create table ran_once (id int);',
};

const written: string[] = [];
afterAll(() => {
  for (const folder of written.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A migrations folder as drizzle-kit writes it. Removed at the end of the test file. */
export function migrationsFolder(migrations: readonly MigrationText[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'mlango-test-migrations-'));
  written.push(folder);
  mkdirSync(join(folder, 'meta'));
  const entries = migrations.map(({ tag, when }, idx) => ({ idx, version: '7', when, tag, breakpoints: true }));
  writeFileSync(
    join(folder, 'meta', '_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries }),
  );
  for (const { tag, sql } of migrations) writeFileSync(join(folder, `${tag}.sql`), sql);
  return folder;
}

import { readFileSync } from 'node:fs';
import { getTableColumns, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import * as schema from '../store/oracle-schema.js';

const source = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const owned = Object.entries(schema).flatMap(([name, table]) =>
  is(table, PgTable) && 'ownerDid' in getTableColumns(table) ? [name] : [],
);
/** Rows that are deleted with their session. */
const cascading = ['messages', 'conversationSummaries', 'branchSummaries'];

/** Usage stays until it is reported, so that deletion does not avoid a charge. */
const staying = ['unreportedUsage'];

describe('a table with an owner column', () => {
  it('is detected', () => expect(owned).toContain('sessions'));

  it.each(owned)('%s is exported and deleted', (name) => {
    expect(source('./account-data-store.ts')).toMatch(new RegExp(`own\\(\\s*${name}\\b`));
    if (![...cascading, ...staying].includes(name))
      expect(source('./account-data-store.ts')).toMatch(new RegExp(`(deletedFrom|delete)\\(${name}\\)`));
  });
});

import { readFileSync } from 'node:fs';
import { getTableColumns, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import * as schema from '../store/oracle-schema.js';

const source = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const owned = Object.entries(schema).flatMap(([name, table]) =>
  is(table, PgTable) && 'ownerDid' in getTableColumns(table) ? [name] : [],
);
/** They go with the session that they are of. */
const cascading = ['messages', 'conversationSummaries', 'branchSummaries'];

/** Nobody gets rid of a charge by leaving: it stays until it is told. */
const staying = ['untoldUsage'];

describe('a table of something that users own', () => {
  it('is one of these', () => expect(owned).toContain('sessions'));

  it.each(owned)('%s is exported, and forgotten', (name) => {
    expect(source('./sql-account-data.ts')).toMatch(new RegExp(`own\\(\\s*${name}\\b`));
    if (![...cascading, ...staying].includes(name))
      expect(source('./sql-account-data.ts')).toMatch(new RegExp(`(deletedFrom|delete)\\(${name}\\)`));
  });
});

import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import * as schema from '../store/oracle-schema.js';

/** The names of the oracle's own tables. */
export const oracleTables: readonly string[] = Object.values(schema).flatMap((one) =>
  is(one, PgTable) ? [getTableName(one)] : [],
);

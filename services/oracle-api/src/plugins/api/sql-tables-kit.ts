/** What tables of plugins are declared and asked with: drizzle, as the oracle has it, so that there is one of it. */

export { and, asc, count, desc, eq, gt, gte, inArray, isNull, lt, lte, ne, not, or, sql, sum } from 'drizzle-orm';
export {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

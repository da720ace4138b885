/** Declaration and queries of plugin tables: the oracle's own drizzle, so that only one version is loaded. */

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

import type { SqlDatabase } from '@mlango/service-kit/database';
import type * as schema from './schema.js';

/** The oracle's own tables, in Postgres or PGlite. */
export type OracleDatabase = SqlDatabase<typeof schema>;

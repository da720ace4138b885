import { fileURLToPath } from 'node:url';
import type { SqlDatabase, StaleDatabase } from '@mlango/service-kit/database';
import type * as schema from './oracle-schema.js';

/** The oracle's own tables, in Postgres or PGlite. */
export type OracleDatabase = SqlDatabase<typeof schema>;

/** The same for reads of any size on user request: Postgres aborts a statement after 1 second. */
export type BriefOracleDatabase = Pick<OracleDatabase, 'select' | 'with' | '$with'>;

/** The same for reads that may be seconds old. */
export type StaleOracleDatabase = StaleDatabase<typeof schema>;

/** The SQL migrations of drizzle-kit: `drizzle/` of this package, from `src/store` and from `dist/store` alike. */
export const migrationsFolder = fileURLToPath(new URL('../../drizzle', import.meta.url));

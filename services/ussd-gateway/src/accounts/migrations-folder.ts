import { fileURLToPath } from 'node:url';

/** The SQL that drizzle-kit wrote: `drizzle/` of this package, from `src/accounts` and from `dist/accounts` alike. */
export const migrationsFolder = fileURLToPath(new URL('../../drizzle', import.meta.url));

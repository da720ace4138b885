import { fileURLToPath } from 'node:url';

/** The SQL that drizzle-kit wrote: `drizzle/` of this package, from `src/store` and from `dist/store` alike. */
export const migrationsFolder = fileURLToPath(new URL('../../drizzle', import.meta.url));

import type { DatabaseOptions } from './database-options.js';
import { openPglite } from './embedded/open-pglite.js';
import { openPostgres } from './postgres/open-postgres.js';
import type { DatabaseConnection, Schema } from './sql-database.js';

/**
 * Opens the service's database. With `url` it resolves within five seconds even if the server is unavailable: `migrated` and `ping()`
 * report the state, and it reconnects. Rejects for permanent problems: no migrations folder, a malformed URL, an undeclared pooler,
 * an embedded directory that another process holds.
 */
export function openDatabase<TSchema extends Schema>(
  options: DatabaseOptions<TSchema>,
): Promise<DatabaseConnection<TSchema>> {
  const { url, ...rest } = options;
  return url === undefined ? openPglite(rest) : openPostgres({ ...rest, url });
}

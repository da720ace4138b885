import type { DatabaseOptions } from './database-options.js';
import { openPglite } from './open-pglite.js';
import { openPostgres } from './open-postgres.js';
import type { DatabaseConnection, Schema } from './sql-database.js';

/**
 * Opens the service's database. With `url` it resolves within five seconds even when the server is away: `migrated`
 * and `ping()` tell the state, and the connection heals by itself. Rejects for what waiting cannot cure: no migrations
 * folder, a malformed URL, a pooler that is not said to be one, an embedded directory that another process holds.
 */
export function openDatabase<TSchema extends Schema>(
  options: DatabaseOptions<TSchema>,
): Promise<DatabaseConnection<TSchema>> {
  const { url, ...rest } = options;
  return url === undefined ? openPglite(rest) : openPostgres({ ...rest, url });
}

export { errorCodeOf, isConnectionError, isUniqueViolation } from '../errors/sql-errors.js';
export { databaseMetrics } from './database-metrics.js';
export type { DatabaseOptions } from './database-options.js';
export { migrationsFolderOf } from './migrations/migrations-folder.js';
export type { OwnedTables } from './migrations/own-tables.js';
export { openDatabase } from './open-database.js';
export type { PostgresLimits } from './postgres/postgres-client.js';
export type { DatabaseConnection, Schema, SqlDatabase, StaleDatabase } from './sql-database.js';

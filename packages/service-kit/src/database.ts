export { databaseMetrics } from './database/database-metrics.js';
export type { DatabaseOptions } from './database/database-options.js';
export { openDatabase } from './database/open-database.js';
export type { OwnedTables } from './database/own-tables.js';
export type { PostgresLimits } from './database/postgres-client.js';
export type { DatabaseConnection, Schema, SqlDatabase, StaleDatabase } from './database/sql-database.js';
export { errorCodeOf, isConnectionError, isUniqueViolation } from './database/sql-errors.js';

import type postgres from 'postgres';
import { isPoolerInTheWay } from './sql-errors.js';

/** A pooler stands where a session is needed. Waiting does not cure that. */
export class PoolerInTheWayError extends Error {
  override readonly name = 'PoolerInTheWayError';
}

const SETTING = 'statement_timeout';

/**
 * Makes sure that the settings of a session hold over this connection: a pooler refuses them, or loses them without a word.
 *
 * @param variable names who gave the address.
 * @throws {PoolerInTheWayError} Rejects with the driver's error when the server is away.
 */
export async function assertSession(sql: postgres.Sql, statementTimeoutMs: number, variable: string): Promise<void> {
  const rows = await sql.unsafe(`select setting from pg_settings where name = '${SETTING}'`).catch((error: unknown) => {
    throw isPoolerInTheWay(error) ? inTheWay(variable, error) : error;
  });
  if (rows[0]?.['setting'] !== String(statementTimeoutMs)) throw inTheWay(variable);
}

function inTheWay(variable: string, cause?: unknown): PoolerInTheWayError {
  const cure = 'DATABASE_DIRECT_URL must name the server behind it, and DATABASE_URL may then name the pooler';
  return new PoolerInTheWayError(`${variable} leads to a pooler, which keeps no settings of a session: ${cure}`, {
    cause,
  });
}

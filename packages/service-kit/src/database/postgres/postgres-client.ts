import { backoffMs } from '@mlango/async/retry';
import postgres from '#postgres';
import { parsePostgresUrl } from '../../env/postgres-url.js';
import type { TableRole } from '../migrations/own-tables.js';
import { boundedSockets, socketsToOneOf } from './postgres-sockets.js';
import { reportStatements } from './report-statements.js';

export interface PostgresLimits {
  /** Connections of this process. The server's `max_connections` must hold those of all replicas. */
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  /** The server ends a statement that runs longer (SQLSTATE 57014). */
  readonly statementTimeoutMs: number;
  /** How long a statement waits for a connection that the server refuses because none is free. */
  readonly slotWaitMs: number;
}

// Allowed silence of a connection beyond the longest statement.
const SILENCE_MARGIN_MS = 5_000;
// The driver reuses the most recent connection, so surplus ones become idle; closing them soon frees slots for other replicas.
const IDLE_SECONDS = 3;

export interface PostgresTarget {
  /** Of several hosts the first one of `kind` is used. */
  readonly url: string;
  /** Certificate authority of the server, as PEM: certificate and host name are then checked. */
  readonly ca?: string | undefined;
  /** The login to use instead of the URL's user. */
  readonly login?: TableRole | undefined;
  /** The kind of server to use of several hosts, unless the URL has `target_session_attrs`. Default: primary. */
  readonly kind?: 'primary' | 'standby';
}

/**
 * A pool of Postgres connections with bounded waits for connecting, statements, idle transactions and silent servers. Reconnects
 * at least once a second. A pooler in transaction mode accepts no session settings: with `pooled` none are sent, and each
 * transaction has to set its own. Statements are prepared only on request.
 */
export function openPool(
  { url, ca, login, kind = 'primary' }: PostgresTarget,
  applicationName: string,
  limits: Omit<PostgresLimits, 'slotWaitMs'>,
  { pooled = false, isPrepared = false } = {},
): postgres.Sql {
  const { hosts, first } = parsePostgresUrl(url);
  const isList = hosts.length > 1;
  const silenceMs = limits.statementTimeoutMs + SILENCE_MARGIN_MS;
  const options: postgres.Options<Record<string, postgres.PostgresType>> & {
    socket: unknown;
    describe: boolean;
  } = {
    max: limits.maxConnections,
    connect_timeout: limits.connectTimeoutMs / 1_000,
    idle_timeout: Math.min(IDLE_SECONDS, silenceMs / 2_000),
    max_lifetime: 30 * 60,
    keep_alive: 30,
    backoff: (attempt: number) => backoffMs(attempt + 1, { firstMs: 50, longestMs: 1_000 }) / 1_000,
    prepare: isPrepared,
    fetch_types: false,
    // Saves a round trip for parameter types: text and numbers have the same encoding for all types.
    describe: false,
    onnotice: () => {},
    connection: {
      application_name: applicationName,
      ...(pooled ? {} : sessionSettings(limits.statementTimeoutMs)),
    },
    socket: isList
      ? socketsToOneOf(hosts, { silenceMs, connectMs: limits.connectTimeoutMs })
      : boundedSockets(silenceMs),
    ...(ca === undefined ? {} : { ssl: { ca } }),
    ...(login === undefined ? {} : { username: login.name, password: login.password }),
    ...(isList && !first.searchParams.has('target_session_attrs') ? { target_session_attrs: kind } : {}),
  };
  // With several hosts the driver would wait forever while all are unavailable.
  return reportStatements(postgres(isList ? first.href : url, options));
}

/** Whether its connections are encrypted, as the URL (`sslmode`) or the environment has it. */
export function usesTls(pool: postgres.Sql): boolean {
  return Boolean(pool.options.ssl);
}

/** Postgres settings that bound statements and idle transactions, in ms. */
export function sessionSettings(statementTimeoutMs: number) {
  return { statement_timeout: statementTimeoutMs, idle_in_transaction_session_timeout: statementTimeoutMs };
}

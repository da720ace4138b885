import postgres from '#postgres';
import { boundedSockets } from './postgres-socket.js';

export interface PostgresLimits {
  /** Connections of this process. The server's `max_connections` must hold those of all replicas. */
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  /** The server ends a statement that runs longer (SQLSTATE 57014). */
  readonly statementTimeoutMs: number;
  /** How long a statement waits for a connection that the server refuses for want of a free one. */
  readonly slotWaitMs: number;
}

// How much longer than the longest allowed statement a connection may be silent.
const SILENCE_MARGIN_MS = 5_000;
// The driver takes the connection that was used last, so those beyond the need fall idle; soon closed, they are there for
// other replicas, which wait longer than this.
const IDLE_SECONDS = 3;

/**
 * A pool of Postgres connections in which nothing waits for ever: not connecting, not a statement, not a forgotten
 * transaction, not a vanished server. It dials again by itself, at most a second apart. A pooler in transaction mode
 * takes no settings of a session: with `pooled` none are sent, and each transaction has to bring its own. It keeps no
 * named prepared statements either: there are none unless `prepare` says so.
 */
export function openPool(
  url: string,
  applicationName: string,
  limits: Omit<PostgresLimits, 'slotWaitMs'>,
  { pooled = false, prepare = false } = {},
): postgres.Sql {
  const silenceMs = limits.statementTimeoutMs + SILENCE_MARGIN_MS;
  const options: postgres.Options<Record<string, postgres.PostgresType>> & { socket: unknown; describe: boolean } = {
    max: limits.maxConnections,
    connect_timeout: limits.connectTimeoutMs / 1_000,
    idle_timeout: Math.min(IDLE_SECONDS, silenceMs / 2_000),
    max_lifetime: 30 * 60,
    keep_alive: 30,
    backoff: (attempt: number) => Math.min(1, 0.05 * 2 ** attempt) * (0.5 + Math.random() / 2),
    prepare,
    fetch_types: false,
    // Does not ask the server for the types of text and numbers, which are written alike for all: a round trip less.
    describe: false,
    onnotice: () => {},
    connection: { application_name: applicationName, ...(pooled ? {} : sessionSettings(limits.statementTimeoutMs)) },
    socket: boundedSockets(silenceMs),
  };
  return postgres(url, options);
}

/** Whether its connections are encrypted, as the URL (`sslmode`) or the environment has it. */
export function usesTls(pool: postgres.Sql): boolean {
  return Boolean(pool.options.ssl);
}

/** What bounds the statements and the silence of a transaction, by the names that Postgres has for it; in ms. */
export function sessionSettings(statementTimeoutMs: number) {
  return { statement_timeout: statementTimeoutMs, idle_in_transaction_session_timeout: statementTimeoutMs };
}

/** Where a database URL points, without credentials: for logs. Throws without repeating the URL, which holds a password. */
export function describeTarget(url: string): string {
  // Further hosts of a list (`host1:5432,host2:5432`) are the driver's own extension of the URL.
  const single = url.replace(/^([a-z]+:\/\/(?:[^@/]*@)?[^/?,@]*),[^/?@]*/, '$1');
  const parsed = URL.canParse(single) ? new URL(single) : undefined;
  if (parsed === undefined || !/^postgres(?:ql)?:$/.test(parsed.protocol)) {
    throw new Error('the database URL is not of the form postgres://user:password@host:port/database');
  }
  const { hostname, port, pathname } = parsed;
  return `${hostname === '' ? 'localhost' : hostname}:${port === '' ? '5432' : port}${pathname}`;
}

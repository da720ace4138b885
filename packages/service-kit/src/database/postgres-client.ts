import postgres from '#postgres';
import type { TableRole } from './own-tables.js';
import { boundedSockets, parsePostgresUrl, socketsToOneOf } from './postgres-hosts.js';

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

export interface PostgresTarget {
  /** Of several hosts that one is taken which is of the kind. */
  readonly url: string;
  /** Who signs the server's certificate, as PEM: it is then checked, with its name. */
  readonly ca?: string | undefined;
  /** The login to use instead of the URL's user. */
  readonly login?: TableRole | undefined;
  /** What is looked for among several hosts, unless the URL says so itself (`target_session_attrs`). Default: a primary. */
  readonly kind?: 'primary' | 'standby';
}

/**
 * A pool of Postgres connections in which nothing waits for ever: not connecting, not a statement, not a forgotten
 * transaction, not a vanished server. It dials again by itself, at most a second apart. A pooler in transaction mode
 * takes no settings of a session: with `pooled` none are sent, and each transaction has to bring its own. It keeps no
 * named prepared statements either: there are none unless a statement asks to be one.
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
    backoff: (attempt: number) => Math.min(1, 0.05 * 2 ** attempt) * (0.5 + Math.random() / 2),
    prepare: isPrepared,
    fetch_types: false,
    // Does not ask the server for the types of text and numbers, which are written alike for all: a round trip less.
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
  // With more than one host the driver would wait for ever where none is there.
  return postgres(isList ? first.href : url, options);
}

/** Whether its connections are encrypted, as the URL (`sslmode`) or the environment has it. */
export function usesTls(pool: postgres.Sql): boolean {
  return Boolean(pool.options.ssl);
}

/** What bounds the statements and the silence of a transaction, by the names that Postgres has for it; in ms. */
export function sessionSettings(statementTimeoutMs: number) {
  return { statement_timeout: statementTimeoutMs, idle_in_transaction_session_timeout: statementTimeoutMs };
}

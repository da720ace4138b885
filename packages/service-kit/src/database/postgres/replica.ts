import { drizzle } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import { describeTarget } from '../../env/postgres-url.js';
import { errorCodeOf, isConnectionError } from '../../errors/sql-errors.js';
import type { Logger } from '../../logging/index.js';
import type { ReplicaState, Schema } from '../sql-database.js';
import { LazyRows } from './lazy-rows.js';
import { openPool, type PostgresLimits } from './postgres-client.js';
import { ReplicaWatch } from './replica-watch.js';
import { RetryingClient } from './retrying-client.js';

export interface ReplicaOptions {
  readonly url: string;
  /** Largest lag of its answers, in ms. */
  readonly maxLagMs: number;
}

export interface ReplicaContext<TSchema extends Schema> {
  readonly ca: string | undefined;
  readonly schema: TSchema;
  readonly logger: Logger;
  readonly limits: PostgresLimits;
  readonly applicationName: string;
  /** After which a statement of `brief` ends, in ms. */
  readonly briefStatementMs: number;
  readonly primary: {
    readonly client: RetryingClient;
    readonly brief: RetryingClient;
    /** A separate connection for polls, which do not use the pool. */
    readonly aside: postgres.Sql;
  };
}

/** Opens clients that read from a replica instead of the primary; connects at the first use. */
export function openReplica<TSchema extends Schema>(
  { url, maxLagMs }: ReplicaOptions,
  { ca, schema, logger, limits, applicationName, briefStatementMs, primary }: ReplicaContext<TSchema>,
) {
  const open = (name: string, some: Partial<PostgresLimits>) =>
    // Sends settings with each statement, as the address can be a pooler.
    openPool({ url, ca, kind: 'standby' }, `${applicationName} ${name}`, { ...limits, ...some }, { pooled: true });
  const pool = open('reads', {});
  const polls = open('replica watch', { maxConnections: 1, statementTimeoutMs: 1_000 });
  const log = logger.child({ replica: describeTarget(url) });
  const watch = new ReplicaWatch({ primary: primary.aside, replica: polls, maxLagMs, logger: log });
  const reads = { replica: 0, primary: 0 };
  const load = { maxConnections: limits.maxConnections, underWay: 0, begun: 0, seconds: 0, refusals: 0 };
  const readsWithin = (statementTimeoutMs: number, onPrimary: RetryingClient) => {
    // Does not wait for a slot: the primary is read instead.
    const settings = {
      statementTimeoutMs,
      slotWaitMs: 0,
      pooled: true,
      isPrepared: false,
      obstacle: () => undefined,
      load,
    };
    const replica = new RetryingClient(pool, settings);
    // StaleReads implements the part of the client that drizzle uses to read.
    const client = new StaleReads({ primary: onPrimary, replica, watch, reads }) as unknown as typeof pool;
    return drizzle(client, { schema });
  };
  const state: ReplicaState = {
    get isRead() {
      return watch.isFresh;
    },
    get lagMs() {
      return watch.lagMs;
    },
    reads,
  };
  return {
    db: readsWithin(limits.statementTimeoutMs, primary.client),
    brief: readsWithin(briefStatementMs, primary.brief),
    state,
    close: async (timeout: number) => {
      watch.stop();
      await Promise.all([pool.end({ timeout }), polls.end({ timeout })]);
    },
  };
}

type Statement = Parameters<RetryingClient['unsafe']>;

export interface StaleReadsParts {
  readonly primary: RetryingClient;
  readonly replica: RetryingClient;
  readonly watch: ReplicaWatch;
  /** Counters of reads by server. */
  readonly reads: { replica: number; primary: number };
}

/** A statement that timed out on the replica would time out on the primary too. */
const STATEMENT_TIMEOUT = '57014';

/**
 * The part of a postgres.js client that drizzle uses for reading: statements run on the replica while it is available and within
 * the lag limit, else on the primary, also after a failure on the replica. They must only read, because one may run twice.
 */
class StaleReads {
  readonly options: postgres.Sql['options'];
  readonly #parts: StaleReadsParts;

  constructor(parts: StaleReadsParts) {
    this.options = parts.primary.options;
    this.#parts = parts;
  }

  unsafe(...statement: Statement) {
    return new LazyRows(
      () => this.#read(async (client) => client.unsafe(...statement)),
      () => this.#read((client) => client.unsafe(...statement).values()),
    );
  }

  async #read(run: (client: RetryingClient) => Promise<unknown>): Promise<unknown> {
    const { primary, replica, watch, reads } = this.#parts;
    if (watch.isFresh) {
      try {
        const rows = await watch.whileResponsive(run(replica));
        reads.replica += 1;
        return rows;
      } catch (error) {
        if (errorCodeOf(error) === STATEMENT_TIMEOUT) throw error;
        if (isConnectionError(error)) watch.suspect(error);
      }
    }
    reads.primary += 1;
    return run(primary);
  }
}

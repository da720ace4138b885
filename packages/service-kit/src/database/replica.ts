import { drizzle } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import type { Logger } from '../logging.js';
import { PatientClient } from './patient-client.js';
import { openPool, type PostgresLimits } from './postgres-client.js';
import { describeTarget } from './postgres-hosts.js';
import { ReplicaWatch } from './replica-watch.js';
import type { ReplicaState, Schema } from './sql-database.js';
import { StaleReads } from './stale-reads.js';

export interface ReplicaOptions {
  readonly url: string;
  /** As old as its answers may be. */
  readonly maxLagMs: number;
}

export interface BesidePrimary<TSchema extends Schema> {
  readonly ca: string | undefined;
  readonly schema: TSchema;
  readonly logger: Logger;
  readonly limits: PostgresLimits;
  readonly applicationName: string;
  /** After which a statement of `brief` ends, in ms. */
  readonly briefStatementMs: number;
  readonly primary: {
    readonly client: PatientClient;
    readonly brief: PatientClient;
    /** For looks at it, which do not wait until its pool has time. */
    readonly aside: postgres.Sql;
  };
}

/** Opens what reads from a replica, in the place of the primary; nothing is dialled before it is first asked. */
export function openReplica<TSchema extends Schema>(
  { url, maxLagMs }: ReplicaOptions,
  { ca, schema, logger, limits, applicationName, briefStatementMs, primary }: BesidePrimary<TSchema>,
) {
  const open = (name: string, some: Partial<PostgresLimits>) =>
    // Settings go with each statement, so that it may be a pooler, too.
    openPool({ url, ca, kind: 'standby' }, `${applicationName} ${name}`, { ...limits, ...some }, { pooled: true });
  const pool = open('reads', {});
  const looks = open('replica watch', { maxConnections: 1, statementTimeoutMs: 1_000 });
  const log = logger.child({ replica: describeTarget(url) });
  const watch = new ReplicaWatch({ primary: primary.aside, replica: looks, maxLagMs, logger: log });
  const reads = { replica: 0, primary: 0 };
  const load = { maxConnections: limits.maxConnections, underWay: 0, begun: 0, seconds: 0, refusals: 0 };
  const readsWithin = (statementTimeoutMs: number, onPrimary: PatientClient) => {
    // No wait for a slot: the primary answers meanwhile.
    const settings = {
      statementTimeoutMs,
      slotWaitMs: 0,
      pooled: true,
      isPrepared: false,
      obstacle: () => undefined,
      load,
    };
    const replica = new PatientClient(pool, settings);
    // All of a client that drizzle touches to read is there.
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
      await Promise.all([pool.end({ timeout }), looks.end({ timeout })]);
    },
  };
}

import { FairSemaphore } from '@mlango/service-kit/async';
import { lookupPools } from '@mlango/ucan-auth/did-resolver';

export interface PoolSettings {
  readonly GRPC_MAX_CALLS: number;
  readonly REPLY_BYTES_IN_FLIGHT: number;
  readonly WATCHES_PER_CLIENT: number;
  readonly WATCHES_MAX: number;
  readonly WATCH_QUERIES_MAX: number;
  readonly WATCH_CALLS_MAX: number;
}

const WATCHED_BYTES = 128 * 1024 * 1024;

/** Of a pool, in units of one address. */
const quarterOf = (total: number) => Math.ceil(total / 4);

/**
 * Capacity of one process that callers share. Each pool has a share for each address: without keys an address is all that is known of a
 * caller, and with keys one address may have many. Every pool of the service is in this list, which metrics and a test read.
 */
export function sharedPools(settings: PoolSettings) {
  const { WATCHES_MAX: watches, WATCHES_PER_CLIENT: perClient, WATCH_QUERIES_MAX: queries } = settings;
  const { lookUps: keyLookUps, waiting: keyLookUpWaits } = lookupPools();
  return {
    keyLookUps,
    keyLookUpWaits,
    /** Calls to nodes, each until its deadline. Calls of the gateway's own are those of one more address. */
    nodeCalls: new FairSemaphore({
      name: 'node_calls',
      total: settings.GRPC_MAX_CALLS,
      shares: { address: quarterOf(settings.GRPC_MAX_CALLS) },
    }),
    /** Bytes of replies that wait for their readers, who may take nothing for 30 seconds. */
    replyBytes: new FairSemaphore({
      name: 'reply_bytes',
      total: settings.REPLY_BYTES_IN_FLIGHT,
      shares: { address: quarterOf(settings.REPLY_BYTES_IN_FLIGHT) },
    }),
    /** Watches, of a key or address (`client`) and of all callers of an address; each ends when its reader takes nothing. */
    watches: new FairSemaphore({
      name: 'watches',
      total: watches,
      shares: { client: perClient, address: Math.max(perClient, quarterOf(watches)) },
    }),
    /** Queries that are watched, by the address that was the first to watch. */
    watchedQueries: new FairSemaphore({
      name: 'watched_queries',
      total: queries,
      shares: { address: quarterOf(queries) },
    }),
    /** Bytes of answers to watched queries, as they came and as they are written, by the address that was the first to watch. */
    watchedBytes: new FairSemaphore({
      name: 'watched_bytes',
      total: WATCHED_BYTES,
      shares: { address: quarterOf(WATCHED_BYTES) },
    }),
    /** Calls for watched queries. A query waits once for each block, so that not more wait than are watched. */
    watchCalls: new FairSemaphore({
      name: 'watch_calls',
      total: settings.WATCH_CALLS_MAX,
      shares: { address: quarterOf(settings.WATCH_CALLS_MAX) },
      waiting: { total: Number.POSITIVE_INFINITY, perHolder: Number.POSITIVE_INFINITY },
    }),
  };
}

export type SharedPools = ReturnType<typeof sharedPools>;

import { FairSemaphore, type FairSemaphoreOptions } from '@mlango/async/fair-semaphore';
import { mostPerAddress } from '@mlango/service-kit/env';
import { lookupPools } from '@mlango/ucan-auth/did-resolver';

/** Settings of the pools. */
export interface PoolSettings {
  readonly http: {
    /** Per address: sockets, unauthenticated connections, and long requests. */
    readonly SOCKETS_PER_ADDRESS: number;
    readonly RATE_LIMIT_MAX: number;
    readonly RATE_LIMIT_PER_ADDRESS?: number | undefined;
  };
  readonly models: { readonly LLM_CALLS_PER_USER: number };
  readonly stores: { readonly DATABASE_POOL_MAX: number };
}

/** Limits of one process. */
export const poolLimits = {
  /** Turns, including queued ones. */
  activeTurns: 2_000,
  socketsPerUser: 50,
  sockets: 10_000,
  connections: 12_000,
  longRequestsPerUser: 250,
  longRequests: 10_000,
};

/** Waiting callers of a user per allowed concurrent model call. */
const waitingPerModelCall = 4;

/** Capacity that users share, by user and by address. */
export type SharedPool = FairSemaphore<'user' | 'address'>;

/** Opens a pool for the life of the process, or returns the open pool of that name. */
export type OpenPool = (options: FairSemaphoreOptions<'user' | 'address'>) => SharedPool;

/**
 * Capacity that callers of one process share. Each pool has a share per user and per address, since users are free to create.
 * Metrics and a test read this list; plugins add pools by `OpenPool`.
 */
export function sharedPools({ http, models, stores }: PoolSettings, limits = poolLimits) {
  const { SOCKETS_PER_ADDRESS: perAddress } = http;
  const { LLM_CALLS_PER_USER: modelCalls } = models;
  // The rate limit of an address counts as this many users.
  const modelCallsOfAddress = modelCalls * Math.max(1, Math.ceil(mostPerAddress(http) / http.RATE_LIMIT_MAX));
  const historyReads = Math.max(2, Math.floor(stores.DATABASE_POOL_MAX / 2));
  return {
    /** Searches in the database, each statement for 1 second. */
    searches: new FairSemaphore({
      name: 'searches',
      total: 2,
      shares: { user: 1, address: 1 },
      waiting: { total: 40, perHolder: 4 },
    }),
    /** Reads of conversations, of half the connections of the database. A statement of a page ends after 1 second. */
    history: new FairSemaphore({
      name: 'history',
      total: historyReads,
      shares: { user: 1, address: historyReads - 1 },
      waiting: { total: 400, perHolder: { user: 8, address: 200 } },
    }),
    /** Account exports, each for at most 10 minutes (`http/account`). */
    exports: new FairSemaphore({ name: 'exports', total: 4, shares: { user: 1, address: 2 } }),
    /** Calls of model endpoints, each bounded by `LLM_TIMEOUT_MS` of silence and by its turn. */
    modelCalls: new FairSemaphore({
      name: 'model_calls',
      total: Math.max(limits.activeTurns, modelCallsOfAddress),
      shares: { user: modelCalls, address: modelCallsOfAddress },
      waiting: {
        total: limits.activeTurns,
        perHolder: { user: modelCalls * waitingPerModelCall, address: modelCallsOfAddress * waitingPerModelCall },
      },
    }),
    /** Requests that may take as long as a turn, and streams of runs. */
    longRequests: new FairSemaphore({
      name: 'long_requests',
      total: limits.longRequests,
      shares: { user: limits.longRequestsPerUser, address: perAddress },
    }),
    /** Sockets of users, both kinds. */
    sockets: new FairSemaphore({
      name: 'sockets',
      total: limits.sockets,
      shares: { user: limits.socketsPerUser, address: perAddress },
    }),
    /** Connections of sockets, including unauthenticated ones. */
    connections: new FairSemaphore({
      name: 'socket_connections',
      total: limits.connections,
      shares: { address: perAddress },
    }),
    ...lookupPools(),
  };
}

export type PoolLimits = typeof poolLimits;
export type SharedPools = ReturnType<typeof sharedPools>;

/** All pools of a process, including those of plugins. */
export function allPools(own: SharedPools): {
  readonly all: readonly FairSemaphore<string>[];
  readonly open: OpenPool;
} {
  const all: FairSemaphore<string>[] = Object.values(own);
  const pluginPools = new Map<string, SharedPool>();
  return {
    all,
    open: (options) => {
      const opened = pluginPools.get(options.name);
      if (opened !== undefined) return opened;
      const pool: SharedPool = new FairSemaphore(options);
      pluginPools.set(options.name, pool);
      all.push(pool);
      return pool;
    },
  };
}

import { FairSemaphore } from '@mlango/service-kit/async';

export interface PoolSettings {
  /** Sockets, and connections that may become one, of one address. */
  readonly SOCKETS_PER_ADDRESS: number;
}

/** Limits of one process, in sockets and connections. */
export const poolLimits = { socketsPerUser: 50, sockets: 10_000, connections: 12_000 };

/**
 * Capacity of one process that callers share. Each pool has a share for each address, beside that for each user: users are free to make.
 * Every pool of the service is in this list, which metrics and a test read.
 */
export function sharedPools({ SOCKETS_PER_ADDRESS: perAddress }: PoolSettings, limits = poolLimits) {
  return {
    /** Searches in the database. */
    searches: new FairSemaphore({
      name: 'searches',
      total: 2,
      shares: { user: 1, address: 2 },
      waiting: { total: 40, perHolder: 4 },
    }),
    /** Sockets of users, both kinds. */
    sockets: new FairSemaphore({
      name: 'sockets',
      total: limits.sockets,
      shares: { user: limits.socketsPerUser, address: perAddress },
    }),
    /** Connections of sockets, those included whose user is not known yet. */
    connections: new FairSemaphore({
      name: 'socket_connections',
      total: limits.connections,
      shares: { address: perAddress },
    }),
  };
}

export type PoolLimits = typeof poolLimits;
export type SharedPools = ReturnType<typeof sharedPools>;

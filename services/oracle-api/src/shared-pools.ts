import { FairSemaphore } from '@mlango/service-kit/async';

/**
 * Capacity of one process that callers share. Each pool has a share for each address, beside that for each user: users are free to make.
 * Every pool of the service is in this list, which metrics and a test read.
 */
export function sharedPools() {
  return {
    /** Searches in the database. */
    searches: new FairSemaphore({
      name: 'searches',
      total: 2,
      shares: { user: 1, address: 2 },
      waiting: { total: 40, perHolder: 4 },
    }),
  };
}

export type SharedPools = ReturnType<typeof sharedPools>;

import { FairSemaphore } from '@mlango/outbound/fair-semaphore';

export interface DialLimits {
  /** Look-ups of keys at once. Default 64. */
  readonly lookUps?: number | undefined;
  /** Callers that wait for look-ups which others began. Default 256. */
  readonly waiting?: number | undefined;
  /** Readings of services' DIDs at once. Default 16. */
  readonly serviceDids?: number | undefined;
}

/**
 * Capacity for what tokens make a process ask elsewhere. Each pool has a share of a quarter for each address, and what it admits ends within its
 * time limit of about 2 seconds.
 */
export function dialPools({ lookUps = 64, waiting = 256, serviceDids = 16 }: DialLimits = {}) {
  const pool = (name: string, total: number) =>
    new FairSemaphore({ name, total, shares: { address: Math.ceil(total / 4) } });
  return {
    lookUps: pool('key_look_ups', lookUps),
    waiting: pool('key_look_up_waits', waiting),
    serviceDids: pool('service_dids', serviceDids),
  };
}

export type DialPools = ReturnType<typeof dialPools>;

import type { ReplayStore } from './replay-store.js';
import { GRACE_SECONDS, systemSeconds } from './store-times.js';

const SWEEP_EVERY = 1000;

/**
 * Used tokens of one process, lost with it; expired ones are swept as others come. When `limit` of them have not expired,
 * further claims reject.
 */
export function memoryReplayStore(now: () => number = systemSeconds, limit = 100_000): ReplayStore {
  const used = new Map<string, number>();
  let claims = 0;

  function sweep(): void {
    const endSeconds = now() - GRACE_SECONDS;
    for (const [cid, expiresAt] of used) {
      if (expiresAt < endSeconds) used.delete(cid);
    }
  }

  return {
    async claim(cid, expiresAt) {
      if (Number.isNaN(expiresAt)) throw new RangeError('an expiry is a time in Unix seconds, or Infinity');
      claims += 1;
      if (claims % SWEEP_EVERY === 0) sweep();
      if (used.has(cid)) return false;
      if (used.size >= limit) throw new RangeError('no room for another used token');
      used.set(cid, expiresAt);
      return true;
    },
  };
}

import type { ReplayStore } from './replay-store.js';

const SWEEP_EVERY = 1000;

/** Used tokens of one process, lost with it; expired ones are swept as others come. */
export function memoryReplayStore(now: () => number = () => Math.floor(Date.now() / 1000)): ReplayStore {
  const used = new Map<string, number>();
  let claims = 0;
  return {
    async claim(cid, expiresAt) {
      claims += 1;
      if (claims % SWEEP_EVERY === 0) {
        const nowSeconds = now();
        for (const [key, until] of used) {
          if (until <= nowSeconds) used.delete(key);
        }
      }
      if (used.has(cid)) return false;
      used.set(cid, expiresAt);
      return true;
    },
  };
}

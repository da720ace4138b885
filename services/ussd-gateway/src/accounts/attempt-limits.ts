import type { AttemptLimits } from './account-store.js';

/** Three wrong PINs lock. */
const attempts = 3;

export function attemptLimits(lockoutSeconds: number): AttemptLimits {
  return { attempts, lockMs: lockoutSeconds * 1000 };
}

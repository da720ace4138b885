import type { RefusalCode } from './refusal.js';
import type { RevocationStore } from './revocation-store.js';
import type { Verdict } from './verdict.js';

/** Refuses a token when a UCAN on its path is revoked, as `unavailable` when that cannot be known. Never rejects. */
export async function refuseRevoked(verdict: Verdict, revocations: RevocationStore): Promise<RefusalCode | undefined> {
  try {
    return (await revocations.isAnyRevoked(verdict.path)) ? 'revoked' : undefined;
  } catch {
    return 'unavailable';
  }
}

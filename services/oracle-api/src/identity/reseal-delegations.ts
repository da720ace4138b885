import type { Keyring } from '@mlango/crypto/keyring';
import { needsReseal, open, seal } from '@mlango/crypto/sealing';
import type { DelegationStore } from './delegation-store.js';

import { delegationContext } from './delegations.js';

export interface ResealReport {
  readonly delegations: number;
  readonly resealed: number;
  /** Users with a delegation that no key can open: they have to delegate again. */
  readonly unopened: readonly string[];
}

const PART_SIZE = 100;

/**
 * Reseals every delegation that is not under the active key. May run while the service runs, and repeatedly: a delegation that changes
 * meanwhile is left unchanged. Rejects if the store is unavailable.
 */
export async function resealDelegations(
  store: DelegationStore,
  keyring: Keyring,
  oracleDid: string,
): Promise<ResealReport> {
  let delegations = 0;
  let resealed = 0;
  const unopened: string[] = [];
  for (let after = ''; ; ) {
    const part = await store.list(after, PART_SIZE);
    const last = part.at(-1);
    if (last === undefined) return { delegations, resealed, unopened };
    for (const { ownerDid, sealed } of part) {
      delegations += 1;
      if (!needsReseal(sealed, keyring)) continue;
      const context = delegationContext(ownerDid, oracleDid);
      const opened = open(sealed, keyring, context);
      if (!opened.ok) unopened.push(ownerDid);
      else if (await store.reseal(ownerDid, sealed, seal(opened.plaintext, keyring, context))) resealed += 1;
    }
    after = last.ownerDid;
  }
}

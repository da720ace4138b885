import type { PhoneIdentities } from './phone-identities.js';
import type { PhoneIdentityStore, SealedIdentity } from './phone-identity-store.js';

export interface IdentitiesResealed {
  readonly identities: number;
  readonly resealed: number;
  /** DIDs of those of which something does not open with any key. */
  readonly unopened: readonly string[];
}

const partSize = 100;

/** Seals every identity again that is not under the current key. May run beside the service and any number of times. */
export async function resealIdentities(
  store: Pick<PhoneIdentityStore, 'listSealed' | 'replaceSealed'>,
  seals: Pick<PhoneIdentities, 'reseal'>,
): Promise<IdentitiesResealed> {
  let [identities, resealed] = [0, 0];
  const unopened: string[] = [];
  for (let after = ''; ; ) {
    const part = await store.listSealed(after, partSize);
    const last = part.at(-1);
    if (last === undefined) return { identities, resealed, unopened };
    for (const identity of part) {
      identities++;
      const again = tryReseal(seals, identity);
      if (again === 'unopened') unopened.push(identity.did);
      else if (again !== undefined && (await store.replaceSealed(identity, again))) resealed++;
    }
    after = last.phone;
  }
}

function tryReseal(seals: Pick<PhoneIdentities, 'reseal'>, identity: SealedIdentity) {
  try {
    return seals.reseal(identity);
  } catch {
    return 'unopened';
  }
}

import { keyOfDid } from '../../src/dids/did-key.js';
import type { DidResolver } from '../../src/dids/did-resolver.js';
import { signerFromSeed, type UcanSigner } from '../../src/mint/minting.js';
import { alice, bob, carol, mallory, ORACLE } from '../forge.js';

const TEAM = 'did:ixo:entity:team';

/** The service. */
export const oracle = signerFromSeed('0c'.repeat(32), ORACLE);
/** Issuers in chains: a key, a chain account, an entity with two keys, and the service. */
export const people: readonly UcanSigner[] = [
  alice,
  bob,
  carol,
  mallory,
  signerFromSeed('a1'.repeat(32), 'did:ixo:ixo1alice'),
  signerFromSeed('b0'.repeat(32), TEAM),
  oracle,
];
const KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['did:ixo:ixo1alice', [alice.keyDid]],
  [TEAM, [carol.keyDid, bob.keyDid]],
  [ORACLE, [oracle.keyDid]],
]);

/** The keys, as did:key, that sign for a DID. */
export function keysOf(did: string): readonly string[] {
  return did.startsWith('did:key:') ? [did] : (KEYS.get(did) ?? []);
}

/** Resolves the did:ixo above and calls `onLookup` for each. */
export function resolverOf(onLookup: (did: string) => void): DidResolver {
  return {
    method: 'ixo',
    resolve: async (did) => {
      onLookup(did);
      return { ok: true, keys: keysOf(did).flatMap((key) => keyOfDid(key) ?? []) };
    },
    forget: () => {},
  };
}

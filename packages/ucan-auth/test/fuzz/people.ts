import { keyOfDid } from '../../src/dids/did-key.js';
import type { DidResolver } from '../../src/dids/did-resolver.js';
import { signerFromSeed, type UcanSigner } from '../../src/mint/minting.js';
import { alice, bob, carol, mallory, ORACLE } from '../forge.js';

const TEAM = 'did:ixo:entity:team';

/** The service that is asked. */
export const oracle = signerFromSeed('0c'.repeat(32), ORACLE);
/** Who stand in chains: of a key, of an account on the chain, of an entity with two keys; and the service itself. */
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

/** Looks a did:ixo up in the list above; `asked` is counted. */
export function resolverOf(asked: (did: string) => void): DidResolver {
  return {
    method: 'ixo',
    resolve: async (did) => {
      asked(did);
      return { ok: true, keys: keysOf(did).flatMap((key) => keyOfDid(key) ?? []) };
    },
    forget: () => {},
  };
}

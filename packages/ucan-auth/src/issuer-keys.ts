import { importVerifyingKey, type VerifyingKey } from '@mlango/crypto/ed25519';
import type { DID, PrincipalParser, Verifier } from '@ucanto/interface';
import { BoundedMap } from './bounded-map.js';
import type { DecodedUcan } from './decode-token.js';
import { keyOfDid } from './did-key.js';
import { signedText } from './signed-text.js';
import { ShownSignature } from './ucanto-view.js';

/** Imported did:key keys, kept because importing one costs about as much as half a verification. */
export class IssuerKeys {
  readonly #keys: BoundedMap<string, VerifyingKey>;

  constructor(limit: number) {
    this.#keys = new BoundedMap(limit);
  }

  /**
   * Verifiers for the issuers of one token. When there is no such key they say no to every signature: they never throw. Each
   * signature is checked once, though the validator asks again on each way it comes by.
   */
  forOneToken(): PrincipalParser {
    const answers: Answers = new Map();
    return { parse: (did) => new KeyVerifier(did, did, this.#find(did), answers) };
  }

  #find(did: string): VerifyingKey | undefined {
    const known = this.#keys.get(did);
    if (known !== undefined) return known;
    const publicKey = keyOfDid(did);
    const key = publicKey === undefined ? undefined : importVerifyingKey(publicKey);
    if (key !== undefined) this.#keys.set(did, key);
    return key;
  }
}

/** The root authority of the validator. Ours has no key: every issuer is resolved like any other. */
export const NO_AUTHORITY: DID = 'did:web:authority.invalid';

/** By the UCAN and the key. */
type Answers = Map<DecodedUcan, Map<string, boolean>>;
type Payload = Parameters<Verifier['verify']>[0];
type AnySignature = Parameters<Verifier['verify']>[1];

class KeyVerifier implements Verifier {
  readonly #did: DID;
  readonly #keyDid: DID;
  readonly #key: VerifyingKey | undefined;
  readonly #answers: Answers;

  constructor(did: DID, keyDid: DID, key: VerifyingKey | undefined, answers: Answers) {
    this.#did = did;
    this.#keyDid = keyDid;
    this.#key = key;
    this.#answers = answers;
  }

  did(): DID {
    return this.#did;
  }

  toDIDKey(): DID<'key'> {
    return `did:key:${this.#keyDid.slice('did:key:'.length)}`;
  }

  withDID<Id extends DID>(id: Id): Verifier<Id> {
    const renamed = new KeyVerifier(id, this.#keyDid, this.#key, this.#answers);
    return {
      did: () => id,
      toDIDKey: () => renamed.toDIDKey(),
      verify: (payload, signature) => renamed.verify(payload, signature),
      withDID: (other) => renamed.withDID(other),
    };
  }

  /** What is signed is written from the UCAN that was decoded; what ucanto would sign is not looked at. */
  verify(_: Payload, signature: AnySignature): boolean {
    if (this.#key === undefined || !(signature instanceof ShownSignature)) return false;
    const { ucan } = signature;
    const answers = this.#answers.get(ucan) ?? new Map<string, boolean>();
    const known = answers.get(this.#keyDid);
    if (known !== undefined) return known;
    const proofs = ucan.proofs.map((proof) => proof.cid.toString());
    const answer = this.#key.verify(signedText(ucan, proofs), ucan.signature);
    this.#answers.set(ucan, answers.set(this.#keyDid, answer));
    return answer;
  }
}

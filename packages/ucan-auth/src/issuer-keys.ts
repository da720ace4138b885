import { importVerifyingKey, type VerifyingKey } from '@mlango/crypto/ed25519';
import type { DID, PrincipalParser, Verifier } from '@ucanto/interface';
import { BoundedMap } from './bounded-map.js';
import { keyOfDid } from './did-key.js';

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

const EDDSA_START = [0xed, 0xa1, 0x03, 0x40] as const;

/** By the signature object, which belongs to one decoded UCAN, and the key. */
type Answers = Map<object, Map<string, boolean>>;
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

  verify(payload: Payload, signature: AnySignature): boolean {
    if (this.#key === undefined || !isEdDsa(signature)) return false;
    const answers = this.#answers.get(signature) ?? new Map<string, boolean>();
    const known = answers.get(this.#keyDid);
    if (known !== undefined) return known;
    const answer = this.#key.verify(payload, signature.subarray(EDDSA_START.length));
    this.#answers.set(signature, answers.set(this.#keyDid, answer));
    return answer;
  }
}

/** A varsig of EdDSA and 64 bytes, read by its bytes: the view decodes them anew at each question. */
function isEdDsa(signature: Uint8Array): boolean {
  return EDDSA_START.every((byte, index) => signature[index] === byte);
}

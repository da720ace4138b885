import { importVerifyingKey, type VerifyingKey } from '@mlango/crypto/ed25519';
import type { DID, PrincipalParser, Verifier } from '@ucanto/interface';
import { LRUCache } from 'lru-cache';
import type { DecodedUcan } from './decode-token.js';
import { keyOfDid } from './did-key.js';
import { Refused } from './refusal.js';
import { signedText } from './signed-text.js';
import { ShownUcan } from './ucanto-view.js';

/** Imported did:key keys, kept because importing one costs about as much as half a verification. */
export class IssuerKeys {
  readonly #keys: LRUCache<string, VerifyingKey>;

  constructor(limit: number) {
    this.#keys = new LRUCache({ max: limit });
  }

  /**
   * Verifiers for the issuers of one token. When there is no such key they say no to every signature. Each signature is checked
   * once with a key, though the validator asks again on each way it comes by.
   *
   * @param most checks in all; the verifiers throw `too_complex` when a token wants more, as one may whose issuers have many keys
   */
  forOneToken(most: number): PrincipalParser {
    const answers = new Answers(most);
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

/** What is known of the signatures of one token. */
class Answers {
  readonly #known = new Map<DecodedUcan, { readonly text: Uint8Array; readonly byKey: Map<string, boolean> }>();
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** @throws {Refused} `too_complex` */
  ask(ucan: DecodedUcan, keyDid: string, key: VerifyingKey): boolean {
    const asked = this.#known.get(ucan) ?? { text: textOf(ucan), byKey: new Map<string, boolean>() };
    const known = asked.byKey.get(keyDid);
    if (known !== undefined) return known;
    this.#left -= 1;
    if (this.#left < 0) throw new Refused('too_complex');
    const answer = key.verify(asked.text, ucan.signature);
    asked.byKey.set(keyDid, answer);
    this.#known.set(ucan, asked);
    return answer;
  }
}

/** What is signed, written from the UCAN that was decoded; what ucanto would sign is not looked at. */
function textOf(ucan: DecodedUcan): Uint8Array {
  const proofs = ucan.proofs.map((proof) => proof.cid.toString());
  return signedText(ucan, proofs);
}

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

  verify(_: Payload, signature: AnySignature): boolean {
    if (this.#key === undefined || !(signature instanceof ShownUcan)) return false;
    return this.#answers.ask(signature.ucan, this.#keyDid, this.#key);
  }
}

import { importVerifyingKey, type VerifyingKey } from '@mlango/crypto/ed25519';
import type * as API from '@ucanto/interface';
import { LRUCache } from 'lru-cache';
import type { DecodedUcan } from '../decode/decode-token.js';
import { Refused } from '../decode/refusal.js';
import { signedPayload } from '../decode/signed-payload.js';
import { keyOfDid } from '../dids/did-key.js';
import { UcanView } from './ucanto-adapter.js';

/** Imported did:key keys. They are cached because importing a key costs about half a signature check. */
export class IssuerKeys {
  readonly #keys: LRUCache<string, VerifyingKey>;

  constructor(limit: number) {
    this.#keys = new LRUCache({ max: limit });
  }

  /**
   * Verifiers for the issuers of one token; the verifier of an unknown key rejects every signature. A signature is checked once per key,
   * though ucanto checks it once per path.
   * @param limit maximum number of signature checks; the verifiers throw `too_complex` beyond it, which issuers with many keys can cause
   */
  forOneToken(limit: number): API.PrincipalParser {
    const checks = new SignatureChecks(limit);
    return { parse: (did) => new KeyVerifier(did, did, this.#find(did), checks) };
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

/** Results of the signature checks of one token. */
class SignatureChecks {
  readonly #results = new Map<DecodedUcan, { readonly payload: Uint8Array; readonly byKey: Map<string, boolean> }>();
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  /** @throws {Refused} `too_complex` */
  check(ucan: DecodedUcan, keyDid: string, key: VerifyingKey): boolean {
    const results = this.#results.get(ucan) ?? { payload: payloadOf(ucan), byKey: new Map<string, boolean>() };
    const known = results.byKey.get(keyDid);
    if (known !== undefined) return known;
    this.#left -= 1;
    if (this.#left < 0) throw new Refused('too_complex');
    const isValid = key.verify(results.payload, ucan.signature);
    results.byKey.set(keyDid, isValid);
    this.#results.set(ucan, results);
    return isValid;
  }
}

function payloadOf(ucan: DecodedUcan): Uint8Array {
  return signedPayload(
    ucan,
    ucan.proofs.map((proof) => proof.cid.toString()),
  );
}

type Payload = Parameters<API.Verifier['verify']>[0];
type AnySignature = Parameters<API.Verifier['verify']>[1];

class KeyVerifier<Id extends API.DID> implements API.Verifier<Id> {
  readonly #did: Id;
  readonly #keyDid: API.DID;
  readonly #key: VerifyingKey | undefined;
  readonly #checks: SignatureChecks;

  constructor(did: Id, keyDid: API.DID, key: VerifyingKey | undefined, checks: SignatureChecks) {
    this.#did = did;
    this.#keyDid = keyDid;
    this.#key = key;
    this.#checks = checks;
  }

  did(): Id {
    return this.#did;
  }

  toDIDKey(): API.DID<'key'> {
    return `did:key:${this.#keyDid.slice('did:key:'.length)}`;
  }

  withDID<Other extends API.DID>(did: Other): KeyVerifier<Other> {
    return new KeyVerifier(did, this.#keyDid, this.#key, this.#checks);
  }

  verify(_: Payload, signature: AnySignature): boolean {
    if (this.#key === undefined || !(signature instanceof UcanView)) return false;
    return this.#checks.check(signature.ucan, this.#keyDid, this.#key);
  }
}

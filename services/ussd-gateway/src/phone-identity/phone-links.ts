import { ServiceError } from '@mlango/service-kit/errors';
import type { Allowance } from '@mlango/service-kit/rate-limit';
import type { RunCheck } from '../effects/effect.js';
import { scoped } from '../sessions/session-scope.js';
import { codeMinutes, type LinkCodes } from './link-codes.js';
import type { PhoneIdentities } from './phone-identities.js';
import type { PhoneLinkStore } from './phone-link-store.js';

export interface PhoneLinksOptions {
  readonly store: PhoneLinkStore;
  readonly identities: PhoneIdentities;
  readonly codes: LinkCodes;
  /** How many codes a phone may try. */
  readonly tries: Allowance;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Notifies a phone of a new link. */
  readonly notify: (phone: string) => Promise<void>;
}

/** What a person gets for a code. */
export interface LinkedPhone {
  /** The phone's DID at the oracle: nothing tells its number. */
  readonly did: string;
  /** From that DID to the person's: to converse for it. */
  readonly delegation: string;
}

const lifeMs = codeMinutes * 60_000;

/** Phones and persons find each other by a code that one shows and the other types. */
export class PhoneLinks {
  readonly #options: PhoneLinksOptions;

  constructor(options: PhoneLinksOptions) {
    this.#options = options;
  }

  /** To whom a person proves who they are. */
  get audience(): string {
    return this.#options.identities.gatewayDid;
  }

  /** What a phone does. */
  get checks(): Readonly<Record<'makeLinkCode' | 'takeLinkCode', RunCheck>> {
    const { store, codes, tries, identities } = this.#options;
    return {
      makeLinkCode: async ({ key, phoneNumber, service }) => {
        const linkCode = codes.ofPhone(key);
        await store.keepCode(this.#macOf(linkCode), { phone: scoped(phoneNumber, service) }, lifeMs);
        return { result: 'made', facts: { linkCode, minutes: String(codeMinutes) } };
      },
      takeLinkCode: async ({ entries, phoneNumber, service }) => {
        if (!(await tries.take(phoneNumber)).ok) return { result: 'locked' };
        const mac = codes.macOf(entries['linkCode'] ?? '');
        if (mac === undefined) return { result: 'wrong' };
        // Before the code is spent: what can fail has then failed.
        const phone = scoped(phoneNumber, service);
        await identities.of(phone);
        return { result: (await store.typeCode(mac, phone)) ? 'taken' : 'wrong' };
      },
    };
  }

  /** A code for a person to type on their phone. */
  async makeCode(did: string): Promise<{ readonly code: string; readonly minutes: number }> {
    const { store, codes, randomBytes } = this.#options;
    const code = codes.ofPerson(randomBytes);
    await store.keepCode(this.#macOf(code), { did }, lifeMs);
    return { code, minutes: codeMinutes };
  }

  /**
   * Links a person with the phone of a code, which is spent.
   *
   * @throws {ServiceError} `not_found` for a code that leads to no phone, or not yet, or not this person; `conflict` for a phone that is linked with
   *   somebody else.
   */
  async claim(typed: string, did: string): Promise<LinkedPhone> {
    const { store, codes, identities, notify } = this.#options;
    const mac = codes.macOf(typed);
    const phone = mac && (await store.takeCode(mac, did));
    if (phone === undefined) throw new ServiceError('not_found', 'There is no such code');
    const identity = await identities.of(phone);
    const { token, sealed } = await identities.link(identity, did);
    if (!(await store.link(phone, { did, sealedLink: sealed }))) {
      throw new ServiceError('conflict', 'This phone is linked with somebody else: end that on the phone first');
    }
    // Before the token is sent: without a notice no person reads the conversation.
    await notify(phone);
    return { did: identity.did, delegation: token };
  }

  #macOf(code: string): string {
    const mac = this.#options.codes.macOf(code);
    if (mac === undefined) throw new Error('a code of ours is none');
    return mac;
  }
}

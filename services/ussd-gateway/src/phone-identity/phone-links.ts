import { ServiceError } from '@mlango/service-kit/errors';
import type { Allowance } from '@mlango/service-kit/rate-limit';
import type { RunCheck } from '../effects/effect.js';
import { scoped } from '../session-scope.js';
import { codeMinutes, type LinkCodes } from './link-codes.js';
import type { PhoneIdentities } from './phone-identities.js';
import type { CodeMaker, PhoneLinkStore } from './sql-phone-link-store.js';

export interface PhoneLinksOptions {
  readonly store: PhoneLinkStore;
  readonly identities: PhoneIdentities;
  readonly codes: LinkCodes;
  /** Limits the codes that a phone may try. */
  readonly tries: Allowance;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Notifies a phone of a new link. */
  readonly notify: (phone: string) => Promise<void>;
}

/** The result of a claimed code. */
export interface LinkedPhone {
  /** The DID of the phone at the oracle, which does not reveal its number. */
  readonly did: string;
  /** The delegation from that DID to the person, to converse. */
  readonly delegation: string;
}

const lifeMs = codeMinutes * 60_000;
/** Codes that are tried: one in many millions is taken. */
const mostCodes = 3;

/** Links phones and persons by a code that one shows and the other types. */
export class PhoneLinks {
  readonly #options: PhoneLinksOptions;

  constructor(options: PhoneLinksOptions) {
    this.#options = options;
  }

  /** The audience of invocations of persons. */
  get audience(): string {
    return this.#options.identities.gatewayDid;
  }

  /** The checks that a phone runs. */
  get checks(): Readonly<Record<'makeLinkCode' | 'takeLinkCode', RunCheck>> {
    const { store, codes, tries, identities } = this.#options;
    return {
      makeLinkCode: async ({ key, phoneNumber, service }) => {
        // The same codes for a repeated call.
        const codeOf = (attempt: number) => codes.ofPhone(attempt === 0 ? key : `${key} ${attempt}`);
        const linkCode = await this.#saveFree({ phone: scoped(phoneNumber, service) }, codeOf);
        return { result: 'made', facts: { linkCode, minutes: String(codeMinutes) } };
      },
      takeLinkCode: async ({ entries, phoneNumber, service }) => {
        if (!(await tries.take(phoneNumber)).ok) return { result: 'locked' };
        const mac = codes.macOf(entries['linkCode'] ?? '');
        if (mac === undefined) return { result: 'wrong' };
        // Before the code is used up, so that failures leave it valid.
        const phone = scoped(phoneNumber, service);
        await identities.of(phone);
        return { result: (await store.typeCode(mac, phone)) ? 'taken' : 'wrong' };
      },
    };
  }

  /** A code for a person to type on their own phone. */
  async makeCode(did: string): Promise<{ readonly code: string; readonly minutes: number }> {
    const { codes, randomBytes } = this.#options;
    const code = await this.#saveFree({ did }, () => codes.ofPerson(randomBytes));
    return { code, minutes: codeMinutes };
  }

  /**
   * Links a person with the phone of a code, and uses up the code.
   *
   * @throws {ServiceError} `not_found` for a code of no phone, of another person, or not typed yet; `conflict` for a phone that is linked
   * with another person.
   */
  async claim(typed: string, did: string): Promise<LinkedPhone> {
    const { store, codes, identities, notify } = this.#options;
    const mac = codes.macOf(typed);
    const phone = mac && (await store.takeCode(mac, did));
    if (phone === undefined) throw new ServiceError('not_found', 'There is no such code');
    const identity = await identities.of(phone);
    const { token, sealed } = await identities.link(identity, did);
    if (!(await store.link(phone, { did, sealedLink: sealed }))) {
      throw new ServiceError('conflict', 'This phone is linked with another person: end that link on the phone first');
    }
    // The phone is notified before the token is sent: without a notice the person on the web gets no access to the conversation.
    await notify(phone);
    return { did: identity.did, delegation: token };
  }

  /** Saves the first of a few codes that is not the valid code of another phone or person. */
  async #saveFree(maker: CodeMaker, codeOf: (attempt: number) => string): Promise<string> {
    for (let attempt = 0; attempt < mostCodes; attempt++) {
      const code = codeOf(attempt);
      if (await this.#options.store.saveCode(this.#macOf(code), maker, lifeMs)) return code;
    }
    throw new ServiceError('unavailable', 'No free code was found');
  }

  #macOf(code: string): string {
    const mac = this.#options.codes.macOf(code);
    if (mac === undefined) throw new Error('a generated code is invalid');
    return mac;
  }
}

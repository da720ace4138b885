/** A person that may converse for a phone. */
export interface PhoneLink {
  readonly did: string;
  /** The delegation from the phone to them, sealed. */
  readonly sealedLink: string;
}

/** What a token of a phone is for: a person (`link`) or this gateway (`grant`). */
export type DelegationKind = 'link' | 'grant';

/** A token of a phone that has not expired and is not the grant in use. */
export interface PhoneDelegation {
  readonly id: string;
  readonly kind: DelegationKind;
  readonly sealedToken: string;
}

/** Days that a link lasts, and days that a grant of this gateway lasts. */
export const delegationDays = { link: 90, grant: 30 } as const satisfies Record<DelegationKind, number>;

/** Days after which the links of a phone end, if the phone made no link and asked nothing: its number may have another owner. */
export const unusedLinkDays = 60;

/** Unexpired links that a phone can have. */
export const linksPerPhone = 10;

/** Who made a code: a phone (E.164), or a person (a DID). */
export type CodeMaker = { readonly phone: string } | { readonly did: string };

/**
 * Links between phones and persons, and the codes by which they find each other.
 *
 * Guarantees: each method is one atomic step for all processes. A code lasts for its time by the database's clock, is known by its MAC alone and
 * leads to a phone once. A store that cannot be reached rejects.
 */
export interface PhoneLinkStore {
  /** In the place of earlier codes of the same maker. */
  keepCode(mac: string, maker: CodeMaker, lifeMs: number): Promise<void>;
  /** A person's code was typed on a phone. False if there is none that is free. */
  typeCode(mac: string, phone: string): Promise<boolean>;
  /** The phone of a code that this person may use: that of a phone, or their own once it was typed on one. The code is spent. */
  takeCode(mac: string, did: string): Promise<string | undefined>;
  purgeCodes(limit: number): Promise<number>;

  linkOf(phone: string): Promise<PhoneLink | undefined>;
  /**
   * Records a delegation, and makes it the link of the phone. Call this before the token is sent.
   *
   * @returns false if the phone is linked with somebody else.
   * @throws {ServiceError} `conflict` if the phone has `linksPerPhone` unexpired links.
   */
  link(phone: string, link: PhoneLink): Promise<boolean>;
  /** Every unexpired link and every replaced grant of a phone. */
  delegationsOf(phone: string): Promise<readonly PhoneDelegation[]>;
  /** Phones with links, the newest of which was made `unusedLinkDays` ago, that asked nothing in that time. */
  phonesWithUnusedLinks(limit: number): Promise<readonly string[]>;
  /** Deletes a delegation that was revoked. */
  removeDelegation(id: string): Promise<void>;
  /** Clears the link of a phone if it is still this one. */
  unlink(phone: string, sealedLink: string): Promise<void>;
  /** Deletes expired delegations. */
  purgeDelegations(limit: number): Promise<number>;
}

/** A person that may converse for a phone. */
export interface PhoneLink {
  readonly did: string;
  /** The delegation from the phone to them, sealed. */
  readonly sealedLink: string;
}

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
  /** False if the phone is linked with somebody else. */
  link(phone: string, link: PhoneLink): Promise<boolean>;
  /** Ends the link that is meant. */
  unlink(phone: string, sealedLink: string): Promise<void>;
}

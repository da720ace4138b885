/** All that is kept of an account and its phone, but for the PIN and the keys of hops. Times in ISO 8601. */
export interface SubscriberData {
  readonly customer: {
    readonly id: string;
    readonly fullName: string;
    readonly email: string | null;
    readonly phone: string;
    readonly createdAt: Date;
    /** Until when a code of an operator stands in the place of the PIN. */
    readonly codeUntil: Date | null;
  };
  readonly phone: { readonly language: string | null; readonly createdAt: Date };
  /** Attempts at the PIN of this account, from any phone, as long as they are kept. */
  readonly attempts: readonly { readonly phone: string; readonly outcome: string; readonly at: Date }[];
  /** What was done from this phone, as long as it is kept. */
  readonly effects: readonly { readonly effect: string; readonly startedAt: Date; readonly endedAt: Date | null }[];
  /** Wrong PINs that are counted for the account and for its phone. */
  readonly counts: readonly {
    readonly subject: string;
    readonly wrong: number;
    readonly locks: number;
    readonly lockedUntil: Date | null;
    readonly lastWrongAt: Date | null;
  }[];
}

/** How many rows of each kind are gone. */
export interface Removed {
  readonly accounts: number;
  readonly attempts: number;
  readonly counts: number;
  /** What was done from its phone, and the texts that told of it. */
  readonly effects: number;
  readonly phones: number;
}

/** What is kept of a subscriber, for whoever asks for it or wants it gone. */
export interface SubscriberRecords {
  /** Undefined if there is no customer of that id. */
  read(customerId: string): Promise<SubscriberData | undefined>;
  /**
   * Removes an account with all that is counted for it, and what is known of effects of its phone; with the last account of a phone also
   * what is kept of that phone: its language, its attempts and their count. One atomic step; a second time there is nothing left to remove.
   */
  remove(customerId: string): Promise<Removed>;
}

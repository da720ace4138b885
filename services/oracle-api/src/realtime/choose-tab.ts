/** A socket that could be asked, and how well it fits. */
export interface TabOffer {
  readonly memberId: string;
  /** Tokens it has in common with the message that declared the tools. */
  readonly matches: number;
  readonly joinedAtMs: number;
}

/**
 * The socket to ask: one of the tab that declared the tools, which is known by the tokens it shows, and the most recent of
 * those; without such a tab the user's most recent one.
 */
export function chooseTab<Offer extends TabOffer>(offers: readonly Offer[]): Offer | undefined {
  return offers.reduce<Offer | undefined>(
    (best, offer) => (best === undefined || isBetter(offer, best) ? offer : best),
    undefined,
  );
}

function isBetter(offer: TabOffer, than: TabOffer): boolean {
  if (offer.matches !== than.matches) return offer.matches > than.matches;
  return offer.joinedAtMs >= than.joinedAtMs;
}

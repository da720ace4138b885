import type { Hub, SessionRef } from './hub.js';
import type { BusMessage, HubBus } from './hub-bus.js';

export interface TabFinderParts {
  readonly hub: Hub;
  readonly bus: HubBus;
  readonly replica: string;
  readonly newId: () => string;
  readonly log: { warn(fields: object, text: string): void };
}

/** A socket to ask, and the replica that has it. */
export interface FoundTab extends TabOffer {
  readonly replica: string;
}

/** Where tools were declared, and by whom, where that is not the session's owner. */
export interface Declarer extends SessionRef {
  readonly actor?: string | undefined;
}

/** The sockets to look among, and the tokens that the one which declared the tools has shown. */
interface TabRequirements {
  readonly credentials: readonly string[];
  readonly actor?: string | undefined;
}

/** How long the other replicas may take to say what sockets they have, in ms. */
const offersWaitMs = 400;
const declarationsKept = 10_000;

interface Inquiry {
  readonly offers: FoundTab[];
  missing: number;
  readonly done: () => void;
}

/** Finds the one socket of a session to ask, among those of all replicas. */
export class TabFinder {
  readonly #parts: TabFinderParts;
  readonly #preferred = new Map<string, TabRequirements>();
  readonly #inquiries = new Map<string, Inquiry>();

  constructor(parts: TabFinderParts) {
    this.#parts = parts;
  }

  prefer({ ownerDid, sessionId, actor }: Declarer, credentials: readonly string[]): void {
    const key = `${ownerDid} ${sessionId}`;
    this.#preferred.delete(key);
    this.#preferred.set(key, { credentials, actor });
    const [oldest] = this.#preferred.keys();
    if (this.#preferred.size > declarationsKept && oldest !== undefined) this.#preferred.delete(oldest);
  }

  async find(place: SessionRef): Promise<FoundTab | undefined> {
    const wanted = this.#preferred.get(`${place.ownerDid} ${place.sessionId}`) ?? { credentials: [] };
    const offers = await this.#offersElsewhere(place, wanted);
    const own = this.#ownOffer(place, wanted);
    if (own !== undefined) offers.push({ ...own, replica: this.#parts.replica });
    return chooseTab(offers);
  }

  receive(message: BusMessage): void {
    if (message.kind === 'who') {
      const place = { ownerDid: message.did, sessionId: message.sessionId };
      const offer = this.#ownOffer(place, message) ?? null;
      const { inquiry, from } = message;
      this.#parts.bus
        .send(from, { kind: 'offer', inquiry, replica: this.#parts.replica, offer })
        .catch((err: unknown) => this.#parts.log.warn({ err }, 'socket not offered'));
    } else if (message.kind === 'offer') {
      const inquiry = this.#inquiries.get(message.inquiry);
      if (inquiry === undefined) return;
      if (message.offer !== null) inquiry.offers.push({ ...message.offer, replica: message.replica });
      inquiry.missing -= 1;
      if (inquiry.missing === 0) inquiry.done();
    }
  }

  /** Of whoever declared the tools: neither the user nor one who acts for them is asked for what is the other's. */
  #ownOffer(place: SessionRef, { credentials, actor }: TabRequirements): TabOffer | undefined {
    const members = this.#parts.hub.membersAt(place).filter((member) => member.actor === actor);
    return chooseTab(
      members.map((member) => ({
        memberId: member.id,
        matches: member.credentials.filter((credential) => credentials.includes(credential)).length,
        joinedAtMs: member.joinedAtMs,
      })),
    );
  }

  async #offersElsewhere(
    { ownerDid: did, sessionId }: SessionRef,
    { credentials, actor }: TabRequirements,
  ): Promise<FoundTab[]> {
    const id = this.#parts.newId();
    const offers: FoundTab[] = [];
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        // Offers may come before `tell` has said how many there will be.
        const inquiry: Inquiry = { offers, missing: 0, done: resolve };
        this.#inquiries.set(id, inquiry);
        timer = setTimeout(resolve, offersWaitMs);
        this.#parts.bus
          .publishCounted({
            kind: 'who',
            from: this.#parts.replica,
            inquiry: id,
            credentials: [...credentials],
            actor,
            did,
            sessionId,
          })
          .then((others) => {
            inquiry.missing += others;
            if (inquiry.missing <= 0) resolve();
          }, reject);
      });
    } catch (err) {
      this.#parts.log.warn({ err }, 'other replicas not asked for sockets');
    } finally {
      clearTimeout(timer);
      this.#inquiries.delete(id);
    }
    return offers;
  }
}

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

import type { Hub, SessionRef } from './hub.js';
import type { BusMessage, HubBus } from './hub-bus.js';

export interface TabFinderParts {
  readonly hub: Hub;
  readonly bus: HubBus;
  readonly replica: string;
  readonly newId: () => string;
  readonly log: { warn(fields: object, text: string): void };
}

/** A socket and its replica. */
export interface FoundTab extends TabOffer {
  readonly replica: string;
}

/** Session of declared tools, with the delegate if the owner did not declare them. */
export interface Declarer extends SessionRef {
  readonly actor?: string | undefined;
}

/** Which sockets qualify, and the tokens of the declaring tab. */
interface TabRequirements {
  readonly credentials: readonly string[];
  readonly actor?: string | undefined;
}

/** Time for other replicas to offer sockets, in ms. */
const offersWaitMs = 400;
const maxDeclarations = 10_000;

interface Inquiry {
  readonly offers: FoundTab[];
  missing: number;
  readonly done: () => void;
}

/** Finds the socket of a session for a tool call, across replicas. */
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
    if (this.#preferred.size > maxDeclarations && oldest !== undefined) this.#preferred.delete(oldest);
  }

  async find(place: SessionRef): Promise<FoundTab | undefined> {
    const wanted = this.#preferred.get(`${place.ownerDid} ${place.sessionId}`) ?? { credentials: [] };
    const offers = await this.#remoteOffers(place, wanted);
    const own = this.#localOffer(place, wanted);
    if (own !== undefined) offers.push({ ...own, replica: this.#parts.replica });
    return chooseTab(offers);
  }

  receive(message: BusMessage): void {
    if (message.kind === 'who') {
      const place = { ownerDid: message.did, sessionId: message.sessionId };
      const offer = this.#localOffer(place, message) ?? null;
      const { inquiry, from } = message;
      this.#parts.bus
        .send(from, { kind: 'offer', inquiry, replica: this.#parts.replica, offer })
        .catch((err: unknown) => this.#parts.log.warn({ err }, 'socket offer not sent'));
    } else if (message.kind === 'offer') {
      const inquiry = this.#inquiries.get(message.inquiry);
      if (inquiry === undefined) return;
      if (message.offer !== null) inquiry.offers.push({ ...message.offer, replica: message.replica });
      inquiry.missing -= 1;
      if (inquiry.missing === 0) inquiry.done();
    }
  }

  /** Considers only sockets of the user or delegate with the declared tools. */
  #localOffer(place: SessionRef, { credentials, actor }: TabRequirements): TabOffer | undefined {
    const members = this.#parts.hub.membersAt(place).filter((member) => member.actor === actor);
    return chooseTab(
      members.map((member) => ({
        memberId: member.id,
        matches: member.credentials.filter((credential) => credentials.includes(credential)).length,
        joinedAtMs: member.joinedAtMs,
      })),
    );
  }

  async #remoteOffers(
    { ownerDid: did, sessionId }: SessionRef,
    { credentials, actor }: TabRequirements,
  ): Promise<FoundTab[]> {
    const id = this.#parts.newId();
    const offers: FoundTab[] = [];
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        // Offers may arrive before the number of replicas is known.
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
      this.#parts.log.warn({ err }, 'request for sockets to other replicas failed');
    } finally {
      clearTimeout(timer);
      this.#inquiries.delete(id);
    }
    return offers;
  }
}

/** A candidate socket for a call. */
export interface TabOffer {
  readonly memberId: string;
  /** Number of tokens shared with the message that declared the tools. */
  readonly matches: number;
  readonly joinedAtMs: number;
}

/** Selects the socket with the most matching tokens, the most recent of equals. */
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

import type { Feedback, FeedbackStore } from './feedback-store.js';
import { counted } from './feedback-store.js';

type Kept = Feedback & { readonly ownerDid: string };

/** In-memory feedback, for tests of code that depends on the port. */
export class MemoryFeedbackStore implements FeedbackStore {
  readonly #hasSession: (ownerDid: string, sessionId: string) => Promise<boolean>;
  #kept: readonly Kept[] = [];

  constructor(hasSession: (ownerDid: string, sessionId: string) => Promise<boolean>) {
    this.#hasSession = hasSession;
  }

  async put(ownerDid: string, feedback: Feedback, most: number) {
    if (!(await this.#hasSession(ownerDid, feedback.sessionId))) return 'no_session';
    const others = this.#kept.filter((kept) => !isOf(kept, ownerDid, feedback.sessionId, feedback.messageId));
    if (others.filter((kept) => isOf(kept, ownerDid, feedback.sessionId)).length >= most) return 'full';
    this.#kept = [...others, { ...feedback, ownerDid }];
    return 'kept';
  }

  async remove(ownerDid: string, sessionId: string, messageId: string) {
    return this.#drop((kept) => isOf(kept, ownerDid, sessionId, messageId)) > 0;
  }

  async ofSession(ownerDid: string, sessionId: string) {
    if (!(await this.#hasSession(ownerDid, sessionId))) return [];
    const own = this.#kept.filter((kept) => isOf(kept, ownerDid, sessionId));
    return own.map(told).sort((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime());
  }

  async list(ownerDid: string, { limit, after }: { readonly limit: number; readonly after?: Feedback | undefined }) {
    const own = this.#kept.filter((kept) => kept.ownerDid === ownerDid && (!after || keyOf(kept) > keyOf(after)));
    return own
      .map(told)
      .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
      .slice(0, limit);
  }

  async removeAll(ownerDid: string) {
    return this.#drop((kept) => kept.ownerDid === ownerDid);
  }

  async count(since: Date, comments: number) {
    const recent = this.#kept
      .filter(({ updatedAt }) => updatedAt >= since)
      .sort((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime());
    const said = recent.flatMap(({ comment, rating, reasons, updatedAt }) =>
      comment === undefined ? [] : [{ comment, rating, reasons, updatedAt }],
    );
    return { ...counted(recent.map((each) => ({ ...each, times: 1 }))), comments: said.slice(0, comments) };
  }

  #drop(which: (kept: Kept) => boolean): number {
    const before = this.#kept.length;
    this.#kept = this.#kept.filter((kept) => !which(kept));
    return before - this.#kept.length;
  }
}

const told = ({ ownerDid: _owner, ...feedback }: Kept): Feedback => feedback;
const keyOf = ({ sessionId, messageId }: Feedback) => `${sessionId} ${messageId}`;

function isOf(kept: Kept, ownerDid: string, sessionId: string, messageId = kept.messageId): boolean {
  return kept.ownerDid === ownerDid && kept.sessionId === sessionId && kept.messageId === messageId;
}

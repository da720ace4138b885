import { type FeedbackRating, type FeedbackReason, feedbackReason } from '@mlango/schemas/oracle-feedback';

/** What a user says of one answer. */
export interface Feedback {
  readonly sessionId: string;
  readonly messageId: string;
  readonly rating: FeedbackRating;
  /** Each once, in the order in which the schema names them. */
  readonly reasons: readonly FeedbackReason[];
  readonly comment?: string;
  readonly updatedAt: Date;
}

/** What all users said: counts, and the newest comments. */
export interface FeedbackCounts {
  readonly up: number;
  readonly down: number;
  readonly reasons: Readonly<Record<FeedbackReason, number>>;
  readonly comments: readonly Required<Pick<Feedback, 'rating' | 'reasons' | 'comment' | 'updatedAt'>>[];
}

/**
 * Feedback of users on answers: one of each user on each answer, of a session of theirs and gone with it.
 *
 * Ownership: what takes the owner's DID sees only what is that owner's; what does not is for whoever runs the oracle.
 * Atomicity: of two that are put at once one stands, whole.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface FeedbackStore {
  /**
   * In the place of what the owner had said of that answer. `full`: the session has `most` on other answers already, but for what is put
   * at the same time. `no_session`: the owner has none of that id. That there is such an answer is for the caller to know.
   */
  put(ownerDid: string, feedback: Feedback, most: number): Promise<'kept' | 'full' | 'no_session'>;
  /** False where the owner has said nothing of that answer. */
  remove(ownerDid: string, sessionId: string, messageId: string): Promise<boolean>;
  /** The newest first; none of a session that is not the owner's. */
  ofSession(ownerDid: string, sessionId: string): Promise<Feedback[]>;
  /** All of the owner's, by session and answer; those that come after one. */
  list(ownerDid: string, page: { readonly limit: number; readonly after?: Feedback | undefined }): Promise<Feedback[]>;
  /** All of the owner's. Gives how many there were. */
  removeAll(ownerDid: string): Promise<number>;
  /** Of all owners, since then. */
  count(since: Date, comments: number): Promise<FeedbackCounts>;
}

/** So many said the same. */
interface Alike {
  readonly rating: FeedbackRating;
  readonly reasons: readonly FeedbackReason[];
  readonly times: number;
}

/** Ratings and reasons, added up. Pure. */
export function counted(all: readonly Alike[]): Omit<FeedbackCounts, 'comments'> {
  const timesOf = (fits: (alike: Alike) => boolean) => all.filter(fits).reduce((sum, { times }) => sum + times, 0);
  const reasons = feedbackReason.options.map(
    (reason) => [reason, timesOf((alike) => alike.reasons.includes(reason))] as const,
  );
  return {
    up: timesOf(({ rating }) => rating === 'up'),
    down: timesOf(({ rating }) => rating === 'down'),
    reasons: Object.fromEntries(reasons) as FeedbackCounts['reasons'],
  };
}

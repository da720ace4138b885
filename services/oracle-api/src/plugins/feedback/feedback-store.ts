import { type FeedbackRating, type FeedbackReason, feedbackReason } from '@mlango/schemas/oracle-feedback';

/** Feedback of a user on one answer. */
export interface Feedback {
  readonly sessionId: string;
  readonly messageId: string;
  readonly rating: FeedbackRating;
  /** Each once, in the order of the schema. */
  readonly reasons: readonly FeedbackReason[];
  readonly comment?: string;
  readonly updatedAt: Date;
}

/** Feedback of all users: counts, and the newest comments. */
export interface FeedbackCounts {
  readonly up: number;
  readonly down: number;
  readonly reasons: Readonly<Record<FeedbackReason, number>>;
  readonly comments: readonly Required<Pick<Feedback, 'rating' | 'reasons' | 'comment' | 'updatedAt'>>[];
}

/**
 * Feedback of users on answers: one per user and answer, in a session of the user and deleted with it.
 *
 * Ownership: methods with an owner's DID see only that owner's feedback; the others are for the operator.
 * Atomicity: of two concurrent puts one is stored completely.
 * Errors: rejects if the store is unreachable; no partial changes.
 */
export interface FeedbackStore {
  /**
   * Replaces the owner's feedback on that answer. `full`: the session has `most` others already, not counting concurrent puts.
   * `no_session`: the owner has no session of that id. The caller checks that the answer exists.
   */
  put(ownerDid: string, feedback: Feedback, most: number): Promise<'kept' | 'full' | 'no_session'>;
  /** False if the owner has no feedback on that answer. */
  remove(ownerDid: string, sessionId: string, messageId: string): Promise<boolean>;
  /** Newest first; empty for a session of another user. */
  ofSession(ownerDid: string, sessionId: string): Promise<Feedback[]>;
  /** All feedback of the owner, by session and answer; the rows that follow `after`. */
  list(ownerDid: string, page: { readonly limit: number; readonly after?: Feedback | undefined }): Promise<Feedback[]>;
  /** Deletes all feedback of the owner. Returns its amount. */
  removeAll(ownerDid: string): Promise<number>;
  /** Feedback of all owners since `since`. */
  count(since: Date, comments: number): Promise<FeedbackCounts>;
}

/** Number of equal ratings with equal reasons. */
interface Alike {
  readonly rating: FeedbackRating;
  readonly reasons: readonly FeedbackReason[];
  readonly times: number;
}

/** Sums of ratings and reasons. Pure. */
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

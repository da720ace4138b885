import {
  type FeedbackRating,
  type FeedbackReason,
  feedbackLimits,
  feedbackReason,
} from '@mlango/schemas/oracle-feedback';
import { errorCodeOf } from '@mlango/service-kit/database';
import { and, asc, count, desc, eq, getTableColumns, gte, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import { isStorable, storableText, withoutNulls } from '../../store/database.js';
import type { PluginDatabase } from '../api/plugin-storage.js';
import { feedback } from './schema.js';

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

/** Number of equal ratings with equal reasons. */
interface RatingGroup {
  readonly rating: FeedbackRating;
  readonly reasons: readonly FeedbackReason[];
  readonly times: number;
}

/** Sums of ratings and reasons. Pure. */
function counted(all: readonly RatingGroup[]): Omit<FeedbackCounts, 'comments'> {
  const timesOf = (fits: (group: RatingGroup) => boolean) =>
    all.filter(fits).reduce((sum, { times }) => sum + times, 0);
  const reasons = feedbackReason.options.map(
    (reason) => [reason, timesOf((group) => group.reasons.includes(reason))] as const,
  );
  return {
    up: timesOf(({ rating }) => rating === 'up'),
    down: timesOf(({ rating }) => rating === 'down'),
    reasons: Object.fromEntries(reasons) as FeedbackCounts['reasons'],
  };
}

/** SQLSTATE of a violated foreign key. */
const noSuchSession = '23503';

const { ownerDid: owner, ...feedbackColumns } = getTableColumns(feedback);
const { sessionId: session, messageId: answer, rating, reasons, comment, updatedAt } = feedbackColumns;

/**
 * Feedback of users on answers: one per user and answer, in a session of the user and deleted with it.
 *
 * Ownership: methods with an owner's DID see only that owner's feedback; the others are for the operator.
 * Atomicity: of two concurrent puts one is stored completely.
 * Errors: rejects if the store is unreachable; no partial changes.
 */
export class FeedbackStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /**
   * Replaces the owner's feedback on that answer. `full`: the session has `most` others already, not counting concurrent puts.
   * `no_session`: the owner has no session of that id. The caller checks that the answer exists.
   */
  async put(
    ownerDid: string,
    { comment: text, ...fields }: Feedback,
    most: number,
  ): Promise<'stored' | 'full' | 'no_session'> {
    const { sessionId, messageId } = fields;
    if (!isStorable(sessionId)) return 'no_session';
    const [others] = await this.#db
      .select({ total: count() })
      .from(feedback)
      .where(and(eq(owner, ownerDid), eq(session, sessionId), ne(answer, messageId)));
    if ((others?.total ?? 0) >= most) return 'full';
    const row = { ...fields, comment: text === undefined ? null : storableText(text) };
    try {
      await this.#db
        .insert(feedback)
        .values({ ...row, ownerDid })
        .onConflictDoUpdate({ target: [owner, session, answer], set: row });
      return 'stored';
    } catch (error) {
      if (errorCodeOf(error) === noSuchSession) return 'no_session';
      throw error;
    }
  }

  /** False if the owner has no feedback on that answer. */
  async remove(ownerDid: string, sessionId: string, messageId: string): Promise<boolean> {
    return (
      isStorable(sessionId + messageId) &&
      (await this.#remove(and(eq(owner, ownerDid), eq(session, sessionId), eq(answer, messageId)))) > 0
    );
  }

  /** Newest first; empty for a session of another user. */
  async ofSession(ownerDid: string, sessionId: string): Promise<Feedback[]> {
    if (!isStorable(sessionId)) return [];
    const rows = await this.#db
      .select(feedbackColumns)
      .from(feedback)
      .where(and(eq(owner, ownerDid), eq(session, sessionId)))
      .orderBy(desc(updatedAt), asc(answer))
      .limit(feedbackLimits.ofSession);
    return rows.map(withoutNulls);
  }

  /** All feedback of the owner, by session and answer; the rows that follow `after`. */
  async list(
    ownerDid: string,
    { limit, after }: { readonly limit: number; readonly after?: Feedback | undefined },
  ): Promise<Feedback[]> {
    const isAfter = after && sql`(${session}, ${answer}) > (${after.sessionId}, ${after.messageId})`;
    const rows = await this.#db
      .select(feedbackColumns)
      .from(feedback)
      .where(and(eq(owner, ownerDid), isAfter))
      .orderBy(asc(session), asc(answer))
      .limit(limit);
    return rows.map(withoutNulls);
  }

  /** Deletes all feedback of the owner. Returns its amount. */
  removeAll(ownerDid: string): Promise<number> {
    return this.#remove(eq(owner, ownerDid));
  }

  /** Feedback of all owners since `since`. */
  async count(since: Date, comments: number): Promise<FeedbackCounts> {
    const isRecent = gte(updatedAt, since);
    const groups = await this.#db
      .select({ rating, reasons, times: count() })
      .from(feedback)
      .where(isRecent)
      .groupBy(rating, reasons);
    const newest = await this.#db
      .select({ comment: sql<string>`${comment}`, rating, reasons, updatedAt })
      .from(feedback)
      .where(and(isRecent, isNotNull(comment)))
      .orderBy(desc(updatedAt))
      .limit(comments);
    return { ...counted(groups), comments: newest };
  }

  async #remove(which: SQL | undefined): Promise<number> {
    const removed = await this.#db.delete(feedback).where(which).returning({ answer });
    return removed.length;
  }
}

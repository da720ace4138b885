import { feedbackLimits } from '@mlango/schemas/oracle-feedback';
import { errorCodeOf } from '@mlango/service-kit/database';
import { and, asc, count, desc, eq, getTableColumns, gte, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import { isStorable, storableText, withoutNulls } from '../../store/storable.js';
import type { PluginDatabase } from '../api/plugin-storage.js';
import { counted, type FeedbackStore } from './feedback-store.js';
import { feedback } from './schema.js';

/** SQLSTATE of a violated foreign key. */
const noSuchSession = '23503';

const { ownerDid: owner, ...told } = getTableColumns(feedback);
const { sessionId: session, messageId: answer, rating, reasons, comment, updatedAt } = told;

/** Feedback in Postgres or PGlite. */
export function sqlFeedbackStore(db: PluginDatabase): FeedbackStore {
  async function remove(which: SQL | undefined): Promise<number> {
    const removed = await db.delete(feedback).where(which).returning({ answer });
    return removed.length;
  }

  return {
    async put(ownerDid, { comment: said, ...given }, most) {
      const { sessionId, messageId } = given;
      if (!isStorable(sessionId)) return 'no_session';
      const [others] = await db
        .select({ total: count() })
        .from(feedback)
        .where(and(eq(owner, ownerDid), eq(session, sessionId), ne(answer, messageId)));
      if ((others?.total ?? 0) >= most) return 'full';
      const row = { ...given, comment: said === undefined ? null : storableText(said) };
      try {
        await db
          .insert(feedback)
          .values({ ...row, ownerDid })
          .onConflictDoUpdate({ target: [owner, session, answer], set: row });
        return 'kept';
      } catch (error) {
        if (errorCodeOf(error) === noSuchSession) return 'no_session';
        throw error;
      }
    },

    // The database rejects a query for a value it cannot store.
    remove: async (ownerDid, sessionId, messageId) =>
      isStorable(sessionId + messageId) &&
      (await remove(and(eq(owner, ownerDid), eq(session, sessionId), eq(answer, messageId)))) > 0,

    async ofSession(ownerDid, sessionId) {
      if (!isStorable(sessionId)) return [];
      const rows = await db
        .select(told)
        .from(feedback)
        .where(and(eq(owner, ownerDid), eq(session, sessionId)))
        .orderBy(desc(updatedAt), asc(answer))
        .limit(feedbackLimits.ofSession);
      return rows.map(withoutNulls);
    },

    async list(ownerDid, { limit, after }) {
      const isAfter = after && sql`(${session}, ${answer}) > (${after.sessionId}, ${after.messageId})`;
      const rows = await db
        .select(told)
        .from(feedback)
        .where(and(eq(owner, ownerDid), isAfter))
        .orderBy(asc(session), asc(answer))
        .limit(limit);
      return rows.map(withoutNulls);
    },

    removeAll: (ownerDid) => remove(eq(owner, ownerDid)),

    async count(since, comments) {
      const isRecent = gte(updatedAt, since);
      const alike = await db
        .select({ rating, reasons, times: count() })
        .from(feedback)
        .where(isRecent)
        .groupBy(rating, reasons);
      const said = await db
        .select({ comment: sql<string>`${comment}`, rating, reasons, updatedAt })
        .from(feedback)
        .where(and(isRecent, isNotNull(comment)))
        .orderBy(desc(updatedAt))
        .limit(comments);
      return { ...counted(alike), comments: said };
    },
  };
}

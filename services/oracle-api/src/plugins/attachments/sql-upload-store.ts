import { errorCodeOf } from '@mlango/service-kit/database';
import { and, asc, count, eq, getTableColumns, gt, inArray, lte, type SQL, sql, sum } from 'drizzle-orm';
import { isStorable } from '../../store/storable.js';
import type { PluginDatabase } from '../api/plugin-storage.js';
import { attachmentUploads as uploads } from './schema.js';
import type { UploadStore } from './upload-store.js';

/** SQLSTATE of a violated foreign key. */
const noSuchSession = '23503';

const { attachmentId: id, ownerDid: owner, bytes: _bytes, ...rest } = getTableColumns(uploads);
const { sizeBytes, createdAt, expiresAt } = rest;
const told = { attachmentId: id, ownerDid: owner, ...rest };

/** Uploaded files in Postgres or PGlite, their bytes in the row. */
export function sqlUploadStore(db: PluginDatabase): UploadStore {
  async function remove(which: SQL | undefined): Promise<number> {
    const removed = await db.delete(uploads).where(which).returning({ id });
    return removed.length;
  }

  /** Deletes a few rows at a time, so that no upload waits for many. */
  const removeExpired = (now: Date) => {
    const gone = db
      .select({ id })
      .from(uploads)
      .where(lte(expiresAt, now))
      .limit(20)
      .for('update', { skipLocked: true });
    return remove(inArray(id, gone));
  };

  return {
    async add(file, limits) {
      if (!isStorable(file.sessionId)) return 'no_session';
      await removeExpired(file.createdAt);
      const [kept] = await db
        .select({ files: count(), bytes: sum(sizeBytes) })
        .from(uploads)
        .where(eq(owner, file.ownerDid));
      const { files = 0, bytes } = kept ?? {};
      if (files >= limits.files || Number(bytes ?? 0) + file.sizeBytes > limits.bytes) return 'full';
      try {
        await db.insert(uploads).values(file);
        return 'added';
      } catch (error) {
        if (errorCodeOf(error) === noSuchSession) return 'no_session';
        throw error;
      }
    },

    async find(ownerDid, attachmentId, now) {
      if (!isStorable(attachmentId)) return undefined;
      const [row] = await db
        .select()
        .from(uploads)
        .where(and(eq(owner, ownerDid), eq(id, attachmentId), gt(expiresAt, now)));
      return row;
    },

    list(ownerDid, { limit, after }) {
      const isAfter =
        after && sql`(${createdAt}, ${id}) > (${after.createdAt.toISOString()}::timestamptz, ${after.attachmentId})`;
      return db
        .select(told)
        .from(uploads)
        .where(and(eq(owner, ownerDid), isAfter))
        .orderBy(asc(createdAt), asc(id))
        .limit(limit);
    },

    // The database rejects a query for a value it cannot store.
    remove: async (ownerDid, attachmentId) =>
      isStorable(attachmentId) && (await remove(and(eq(owner, ownerDid), eq(id, attachmentId)))) > 0,

    removeAll: (ownerDid) => remove(eq(owner, ownerDid)),
  };
}

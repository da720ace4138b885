import { errorCodeOf } from '@mlango/service-kit/database';
import { ServiceError } from '@mlango/service-kit/errors';
import { and, asc, count, eq, getTableColumns, gt, inArray, lte, type SQL, sql, sum } from 'drizzle-orm';
import { isStorable } from '../../store/database.js';
import type { PluginDatabase } from '../api/plugin-storage.js';
import { attachmentUploads as uploads } from './schema.js';
import type { AttachmentSettings } from './settings.js';

/** An uploaded file of one session. */
export interface Upload {
  readonly attachmentId: string;
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly filename: string;
  /** Recognised by the bytes, not declared by the client. */
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface UploadedFile extends Upload {
  readonly bytes: Buffer;
}

/** Limits of one owner. */
export interface UploadLimits {
  readonly files: number;
  readonly bytes: number;
}

/** Maximum number of files of one user, of any size. */
const filesOfUser = 1_000;
const dayMs = 86_400_000;

/** A file expires no later than messages. */
export function expiryOf(
  createdAt: Date,
  { ATTACHMENT_KEEP_DAYS: days, MESSAGE_RETENTION_DAYS: ofMessages = days }: AttachmentSettings,
): Date {
  return new Date(createdAt.getTime() + Math.min(days, ofMessages) * dayMs);
}

/** @throws ServiceError if the owner has no such session, or no space left */
export async function addUpload(
  uploads: Pick<UploadStore, 'add'>,
  file: UploadedFile,
  { ATTACHMENT_USER_BYTES: bytes }: AttachmentSettings,
): Promise<void> {
  const added = await uploads.add(file, { files: filesOfUser, bytes });
  if (added === 'no_session') throw new ServiceError('not_found', 'Session not found');
  if (added === 'full') throw new ServiceError('conflict', 'Your storage is full; delete some files first');
}

/** SQLSTATE of a violated foreign key. */
const noSuchSession = '23503';

const { attachmentId: id, ownerDid: owner, bytes: _bytes, ...rest } = getTableColumns(uploads);
const { sizeBytes, createdAt, expiresAt } = rest;
const uploadColumns = { attachmentId: id, ownerDid: owner, ...rest };

/**
 * Files that users have uploaded, each in one session and deleted with it.
 *
 * Ownership: every call takes the owner's DID and sees only that owner's files.
 * Time: expired files count as absent, and are deleted at later uploads of any owner.
 * Errors: rejects if the store is unreachable; no partial changes.
 */
export class UploadStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /**
   * `full`: the owner has the maximum of files, or would exceed the bytes, not counting concurrent uploads. `no_session`: the owner
   * has no session of that id.
   */
  async add(file: UploadedFile, limits: UploadLimits): Promise<'added' | 'full' | 'no_session'> {
    if (!isStorable(file.sessionId)) return 'no_session';
    await this.#removeExpired(file.createdAt);
    const [used] = await this.#db
      .select({ files: count(), bytes: sum(sizeBytes) })
      .from(uploads)
      .where(eq(owner, file.ownerDid));
    const { files = 0, bytes } = used ?? {};
    if (files >= limits.files || Number(bytes ?? 0) + file.sizeBytes > limits.bytes) return 'full';
    try {
      await this.#db.insert(uploads).values(file);
      return 'added';
    } catch (error) {
      if (errorCodeOf(error) === noSuchSession) return 'no_session';
      throw error;
    }
  }

  async find(ownerDid: string, attachmentId: string, now: Date): Promise<UploadedFile | undefined> {
    if (!isStorable(attachmentId)) return undefined;
    const [row] = await this.#db
      .select()
      .from(uploads)
      .where(and(eq(owner, ownerDid), eq(id, attachmentId), gt(expiresAt, now)));
    return row;
  }

  /** Oldest first; the files that follow `after`. */
  list(
    ownerDid: string,
    { limit, after }: { readonly limit: number; readonly after?: Upload | undefined },
  ): Promise<Upload[]> {
    const isAfter =
      after && sql`(${createdAt}, ${id}) > (${after.createdAt.toISOString()}::timestamptz, ${after.attachmentId})`;
    return this.#db
      .select(uploadColumns)
      .from(uploads)
      .where(and(eq(owner, ownerDid), isAfter))
      .orderBy(asc(createdAt), asc(id))
      .limit(limit);
  }

  /** False if the owner has no such file. */
  async remove(ownerDid: string, attachmentId: string): Promise<boolean> {
    return isStorable(attachmentId) && (await this.#remove(and(eq(owner, ownerDid), eq(id, attachmentId)))) > 0;
  }

  /** Deletes all files of the owner. Returns their number. */
  removeAll(ownerDid: string): Promise<number> {
    return this.#remove(eq(owner, ownerDid));
  }

  async #remove(which: SQL | undefined): Promise<number> {
    const removed = await this.#db.delete(uploads).where(which).returning({ id });
    return removed.length;
  }

  /** Deletes a few rows at a time, so that no upload waits for many. */
  #removeExpired(now: Date) {
    const expired = this.#db
      .select({ id })
      .from(uploads)
      .where(lte(expiresAt, now))
      .limit(20)
      .for('update', { skipLocked: true });
    return this.#remove(inArray(id, expired));
  }
}

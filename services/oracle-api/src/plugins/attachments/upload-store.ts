import { ServiceError } from '@mlango/service-kit/errors';
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

/**
 * Files that users have uploaded, each in one session and deleted with it.
 *
 * Ownership: every call takes the owner's DID and sees only that owner's files.
 * Time: expired files count as absent, and are deleted at later uploads of any owner.
 * Errors: rejects if the store is unreachable; no partial changes.
 */
export interface UploadStore {
  /**
   * `full`: the owner has the maximum of files, or would exceed the bytes, not counting concurrent uploads. `no_session`: the owner
   * has no session of that id.
   */
  add(file: UploadedFile, limits: UploadLimits): Promise<'added' | 'full' | 'no_session'>;
  find(ownerDid: string, attachmentId: string, now: Date): Promise<UploadedFile | undefined>;
  /** Oldest first; the files that follow `after`. */
  list(ownerDid: string, page: { readonly limit: number; readonly after?: Upload | undefined }): Promise<Upload[]>;
  /** False if the owner has no such file. */
  remove(ownerDid: string, attachmentId: string): Promise<boolean>;
  /** Deletes all files of the owner. Returns their number. */
  removeAll(ownerDid: string): Promise<number>;
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

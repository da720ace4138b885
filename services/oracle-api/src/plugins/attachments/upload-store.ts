import { ServiceError } from '@mlango/service-kit/errors';
import type { AttachmentSettings } from './settings.js';

/** A file of one session, as it was uploaded. */
export interface Upload {
  readonly attachmentId: string;
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly filename: string;
  /** By its bytes, not by what the client said. */
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface UploadedFile extends Upload {
  readonly bytes: Buffer;
}

/** What one owner may have. */
export interface UploadLimits {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Files that users have uploaded, each of one session and gone with it.
 *
 * Ownership: every call takes the owner's DID and sees only what is that owner's.
 * Time: what has expired is not there any more, and is deleted on the way of later uploads, whoever's it was.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface UploadStore {
  /**
   * `full`: the owner has as many files as they may, or would have more bytes, but for what is uploaded at the same time.
   * `no_session`: the owner has none of that id.
   */
  add(file: UploadedFile, limits: UploadLimits): Promise<'added' | 'full' | 'no_session'>;
  find(ownerDid: string, attachmentId: string, now: Date): Promise<UploadedFile | undefined>;
  /** Oldest first; those that come after one. */
  list(ownerDid: string, page: { readonly limit: number; readonly after?: Upload | undefined }): Promise<Upload[]>;
  /** False where the owner has no such file. */
  remove(ownerDid: string, attachmentId: string): Promise<boolean>;
  /** All of the owner's. Gives how many there were. */
  removeAll(ownerDid: string): Promise<number>;
}

/** Of one user, however small. */
const filesOfUser = 1_000;
const dayMs = 86_400_000;

/** A file is kept no longer than messages are. */
export function expiryOf(
  createdAt: Date,
  { ATTACHMENT_KEEP_DAYS: days, MESSAGE_RETENTION_DAYS: ofMessages = days }: AttachmentSettings,
): Date {
  return new Date(createdAt.getTime() + Math.min(days, ofMessages) * dayMs);
}

/** @throws ServiceError where the owner has no such session, or no room left */
export async function addUpload(
  uploads: Pick<UploadStore, 'add'>,
  file: UploadedFile,
  { ATTACHMENT_USER_BYTES: bytes }: AttachmentSettings,
): Promise<void> {
  const added = await uploads.add(file, { files: filesOfUser, bytes });
  if (added === 'no_session') throw new ServiceError('not_found', 'Session not found');
  if (added === 'full') throw new ServiceError('conflict', 'Your storage is full; delete some files first');
}

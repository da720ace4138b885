import type { Transform } from 'node:stream';
import type { AnsweringModel } from '../models/language-model.js';
import type { StoredAttachment } from '../store/sessions.js';

/** Owner and session of files. */
export interface FileOwner {
  readonly ownerDid: string;
  readonly sessionId: string;
  /** An `addressKey`; absent in a resumed turn. */
  readonly address?: string | undefined;
}

/** A file of known kind. */
export interface NewFile {
  readonly bytes: Buffer;
  /** By its bytes. */
  readonly mediaType: string;
  readonly filename: string;
}

/** Files that stay in memory. */
export interface HeldFiles {
  readonly attachments: readonly StoredAttachment[];
  readonly release: () => void;
}

/**
 * Origin of files outside the message to answer: earlier messages of the session (`history`), a conversation in a request
 * (`request`), the result of a tool (`result`).
 */
export type FilesFrom = 'history' | 'request' | 'result';

/** Outcome for a file in the result of a tool. */
export type AddedFile =
  | { readonly ok: true; readonly attachment: StoredAttachment }
  | { readonly ok: false; readonly reason: string };

/**
 * Accepts files that come inside requests of other protocols and in the results of tools, as uploads of a session.
 *
 * Ownership: as for `UploadStore`.
 */
export interface FileIntake {
  /** Maximum bytes of one file. */
  readonly fileBytes: number;
  /** Maximum bytes of all files of one request. */
  readonly requestBytes: number;
  /**
   * Recognises the type of the bytes, or explains why the model cannot receive them.
   *
   * @param declared media type as the sender declares it
   */
  recognise(
    bytes: Buffer,
    declared: string | undefined,
    model: AnsweringModel,
  ): { readonly mediaType: string; readonly extension: string } | { readonly refusal: string };
  /** Media types that `recognise` accepts for a model. */
  mediaTypes(model: AnsweringModel): readonly string[];
  /** Explains why a file at an address is not read; undefined if it is. */
  refusalOfUrl(url: string, declared: string | undefined, model: AnsweringModel): string | undefined;
  /** Finds a file that the owner has uploaded for the session. */
  find(owner: FileOwner, attachmentId: string): Promise<StoredAttachment | undefined>;
  /**
   * Stores files with their session. Atomic.
   * @throws ServiceError `conflict` if the owner's storage is full, `not_found` if there is no such session
   */
  store(owner: FileOwner, files: readonly NewFile[]): Promise<readonly StoredAttachment[]>;
  remove(owner: FileOwner, attachments: readonly StoredAttachment[]): Promise<void>;
  /**
   * Holds files in memory for a session that is not stored.
   * @throws ServiceError `rate_limited`, `unavailable` if too many bytes are held
   */
  hold(owner: FileOwner, files: readonly NewFile[]): HeldFiles;
  /** Counts the bytes of a request body as they arrive, and fails with 429 or 503 if the pool is full. */
  countBody(holder: { readonly user: string; readonly address: string }): {
    readonly counted: Transform;
    readonly release: () => void;
  };
}

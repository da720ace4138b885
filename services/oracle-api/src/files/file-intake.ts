import type { Transform } from 'node:stream';
import type { AnsweringModel } from '../models/language-model.js';
import type { StoredAttachment } from '../store/sessions.js';

/** Whose files they are, and of which session. */
export interface FileOwner {
  readonly ownerDid: string;
  readonly sessionId: string;
  /** An `addressKey`; absent in a turn that was resumed. */
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
 * Where files are that are not of the message to answer: in earlier messages of the session (`history`), in a conversation that a request
 * brings (`request`), in the result of a tool (`result`).
 */
export type FilesFrom = 'history' | 'request' | 'result';

/** What comes of a file in the result of a tool. */
export type AddedFile =
  | { readonly ok: true; readonly attachment: StoredAttachment }
  | { readonly ok: false; readonly reason: string };

/**
 * Accepts files that come inside requests of other protocols and in the results of tools, as uploads of a session.
 *
 * Ownership: as for `UploadStore`.
 */
export interface FileIntake {
  /** Bytes of one file at most. */
  readonly fileBytes: number;
  /** Bytes of all files of one request at most. */
  readonly requestBytes: number;
  /**
   * What the bytes are, or why the model cannot receive them.
   *
   * @param declared media type as the sender declares it
   */
  recognise(
    bytes: Buffer,
    declared: string | undefined,
    model: AnsweringModel,
  ): { readonly mediaType: string; readonly extension: string } | { readonly refusal: string };
  /** What `recognise` accepts for a model. */
  mediaTypes(model: AnsweringModel): readonly string[];
  /** Why a file at an address is not read; undefined where it is. */
  refusalOfUrl(url: string, declared: string | undefined, model: AnsweringModel): string | undefined;
  /** A file that the owner has uploaded for the session. */
  find(owner: FileOwner, attachmentId: string): Promise<StoredAttachment | undefined>;
  /**
   * Stores files with their session. All of them, or none.
   * @throws ServiceError `conflict` where the owner's storage is full, `not_found` where there is no such session
   */
  store(owner: FileOwner, files: readonly NewFile[]): Promise<readonly StoredAttachment[]>;
  remove(owner: FileOwner, attachments: readonly StoredAttachment[]): Promise<void>;
  /**
   * Keeps files in memory for a session that is not stored.
   * @throws ServiceError `rate_limited`, `unavailable` where too many bytes are held
   */
  hold(owner: FileOwner, files: readonly NewFile[]): HeldFiles;
  /** Counts the bytes of a request body as they arrive, and fails with 429 or 503 where there is no room. */
  countBody(holder: { readonly user: string; readonly address: string }): {
    readonly counted: Transform;
    readonly release: () => void;
  };
}

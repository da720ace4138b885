import { sendLimits } from '@mlango/schemas/oracle-send';
import { ServiceError } from '@mlango/service-kit/errors';
import type { AnsweringModel } from '../models/language-model.js';
import { storableText } from '../store/database.js';
import type { StoredAttachment } from '../store/sessions.js';
import type { StorageLimits } from '../store/storage-limits.js';
import type { AddedFile, FileIntake, FileOwner, HeldFiles, NewFile } from './file-intake.js';
import { type IncomingFile, refusedPart } from './incoming-file.js';

/** Checked files of one request: by message, in the order of the request. */
export type CheckedFiles = readonly CheckedFile[];

type CheckedFile =
  | (NewFile & { readonly isNew: true })
  /** Somewhere else already. */
  | { readonly isNew: false; readonly place: string; readonly attachment: StoredAttachment };

/** The text of a message. A message with only files gets a sentence; an empty one stays empty. */
export function textWithFiles(text: string, files: readonly unknown[]): string {
  return text || (files.length === 0 ? '' : 'Here is a file.');
}

/** Files of all messages of one request. */
const filesOfRequest = 100;

/** The table of uploads, which the storage limits count. */
const table = 'attachment_uploads';

/**
 * Turns files in requests of other protocols into attachments, with the limits, owner and storage of uploads. A file that cannot be
 * accepted is refused with its place in the request.
 */
export class MessageFiles {
  readonly #intake: FileIntake | undefined;
  readonly #storage: Pick<StorageLimits, 'take'>;

  /** @param intake undefined if the plugin `attachments` is off */
  constructor(intake: FileIntake | undefined, storage: Pick<StorageLimits, 'take'>) {
    this.#intake = intake;
    this.#storage = storage;
  }

  /** Maximum bytes that files add to the body of a request, in base64. */
  get bodyBytes(): number {
    return this.#intake === undefined ? 0 : Math.ceil(this.#intake.requestBytes / 3) * 4;
  }

  get countBody(): FileIntake['countBody'] | undefined {
    return this.#intake?.countBody.bind(this.#intake);
  }

  /** Media types other than plain text that a message to the model may have. */
  mediaTypes(model: AnsweringModel): readonly string[] {
    return this.#intake?.mediaTypes(model).filter((type) => type !== 'text/plain') ?? [];
  }

  /**
   * Checks the files of one message: bytes, number, kind, and whether the model accepts them.
   *
   * @param before files of earlier messages of the same request
   * @throws ServiceError with the place of the file
   */
  check(files: readonly IncomingFile[], model: AnsweringModel, before: readonly CheckedFile[] = []): CheckedFile[] {
    const checked: CheckedFile[] = [];
    for (const [at, file] of files.entries()) {
      if (this.#intake === undefined) throw refusedPart(file.place, 'this oracle accepts no files');
      if (at >= sendLimits.attachments) {
        throw refusedPart(file.place, `a message has at most ${sendLimits.attachments} files`);
      }
      if (before.length + checked.length >= filesOfRequest) {
        throw refusedPart(file.place, `a request has at most ${filesOfRequest} files`);
      }
      checked.push(this.#checked(file, model, this.#intake, [...before, ...checked]));
    }
    return checked;
  }

  /** Stores the new ones of checked files with a session. @throws ServiceError if there is no space, or no such upload */
  async store(owner: FileOwner, files: readonly CheckedFile[]): Promise<readonly StoredAttachment[]> {
    const intake = this.#intake;
    if (intake === undefined || files.length === 0) return [];
    const found = await Promise.all(
      files.map(async (file) => (file.isNew ? undefined : attachmentOf(intake, owner, file))),
    );
    const added = files.filter(isNew);
    const bytes = added.reduce((sum, file) => sum + file.bytes.length, 0);
    if (added.length > 0) {
      await this.#storage.take(owner.address ?? owner.ownerDid, { table, bytes, rows: added.length });
    }
    const stored = [...(await intake.store(owner, added))];
    return found.flatMap((attachment) => attachment ?? stored.shift() ?? []);
  }

  /** Removes files that were stored for a message without a turn. Never rejects: remaining files expire with their session. */
  async undo(owner: FileOwner, files: readonly CheckedFile[], stored: readonly StoredAttachment[]): Promise<void> {
    const added = stored.filter((_, at) => files[at]?.isNew === true);
    if (added.length > 0) await this.#intake?.remove(owner, added).catch(() => undefined);
  }

  /** Holds the files in memory for a request that is not stored. @throws ServiceError if there is no space */
  hold(owner: FileOwner, files: readonly CheckedFile[]): HeldFiles {
    const upload = files.find((file) => !file.isNew && file.attachment.attachmentId !== undefined);
    if (upload?.isNew === false) throw refusedPart(upload.place, 'names a file of a session; send its bytes');
    const added = files.filter(isNew);
    const held = this.#intake?.hold(owner, added) ?? { attachments: [], release: () => undefined };
    const heldAttachments = [...held.attachments];
    const attachments = files.flatMap((file) => (file.isNew ? (heldAttachments.shift() ?? []) : file.attachment));
    return { attachments, release: held.release };
  }

  /** Stores a file of a tool's result. Never rejects: a file that is not stored is named to the model with the reason. */
  async add(
    owner: FileOwner,
    file: Pick<IncomingFile, 'filename' | 'mediaType'> & { bytes: Buffer },
    model: AnsweringModel,
  ): Promise<AddedFile> {
    const { bytes, ...described } = file;
    try {
      const incoming = { place: 'file', ...described, source: { kind: 'bytes' as const, bytes } };
      const [attachment] = await this.store(owner, this.check([incoming], model));
      return attachment === undefined ? { ok: false, reason: 'not stored' } : { ok: true, attachment };
    } catch (error) {
      // The text of any other error is not for a model.
      return { ok: false, reason: error instanceof ServiceError ? error.message.replace(/^file: /, '') : 'not stored' };
    }
  }

  #checked(
    { place, filename, mediaType, source }: IncomingFile,
    model: AnsweringModel,
    intake: FileIntake,
    before: readonly CheckedFile[],
  ): CheckedFile {
    if (source.kind === 'bytes') {
      const { bytes } = source;
      if (bytes.length > intake.fileBytes) throw refusedPart(place, `a file has at most ${intake.fileBytes} bytes`);
      const sum = before.reduce((total, file) => total + (file.isNew ? file.bytes.length : 0), bytes.length);
      if (sum > intake.requestBytes) {
        throw refusedPart(place, `the files of a request have at most ${intake.requestBytes} bytes`);
      }
      const known = intake.recognise(bytes, mediaType, model);
      if ('refusal' in known) throw refusedPart(place, known.refusal);
      return { isNew: true, bytes, mediaType: known.mediaType, filename: nameOf(filename, known.extension, before) };
    }
    if (source.kind === 'url') {
      const refusal = intake.refusalOfUrl(source.url, mediaType, model);
      if (refusal !== undefined) throw refusedPart(place, refusal);
      const attachment = {
        mxcUri: source.url,
        filename: nameOf(filename ?? lastSegment(source.url), 'bin', before),
        mimetype: mediaType ?? 'application/octet-stream',
      };
      return { isNew: false, place, attachment };
    }
    const attachment = { attachmentId: source.attachmentId, filename: 'file', mimetype: 'application/octet-stream' };
    return { isNew: false, place, attachment };
  }
}

function isNew(file: CheckedFile): file is Extract<CheckedFile, { isNew: true }> {
  return file.isNew;
}

async function attachmentOf(
  intake: FileIntake,
  owner: FileOwner,
  { attachment, place }: Extract<CheckedFile, { isNew: false }>,
): Promise<StoredAttachment> {
  if (attachment.attachmentId === undefined) return attachment;
  const found = await intake.find(owner, attachment.attachmentId);
  if (found === undefined) throw refusedPart(place, 'there is no such file in this session');
  return found;
}

/** The client's name for the file; by default a name from its kind, with a number if the name is used. */
function nameOf(filename: string | undefined, extension: string, before: readonly CheckedFile[]): string {
  const own = storableText(filename ?? '').slice(0, sendLimits.filenameChars);
  if (own.trim() !== '') return own;
  const taken = before.filter((file) => (file.isNew ? file.filename : file.attachment.filename).startsWith('file'));
  const number = taken.length === 0 ? '' : `-${taken.length + 1}`;
  return `file${number}.${extension}`;
}

function lastSegment(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

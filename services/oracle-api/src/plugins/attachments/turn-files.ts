import type { Permit } from '@mlango/async/fair-semaphore';
import type { FilesFrom } from '../../files/file-intake.js';
import type { ModelFile } from '../../models/language-model.js';
import { accepts, type MediaKind } from '../../models/media.js';
import { cutToTokens } from '../../models/usage.js';
import type { StoredAttachment } from '../../store/sessions.js';
import type { PluginBoot } from '../api/plugin.js';
import type { RuntimeContext } from '../api/runtime-context.js';
import type { AttachmentPools, Holder } from './attachment-pools.js';
import { pdfText } from './pdf-text.js';
import { readAttachment } from './read/read-attachment.js';
import { inWords, ReadError } from './read/read-problem.js';
import { mediaTypeOf, recogniseFile } from './read/recognise-file.js';
import type { Transcribe } from './read/transcribe.js';
import type { AttachmentSettings } from './settings.js';
import type { UploadStore } from './upload-store.js';

/** Concurrent reads of files of one message. */
const atOnce = 3;
/** Share of the model's context window for the files of a message. */
const windowShare = 0.25;
const roomIdChars = 255;

export type AttachmentsContext = RuntimeContext<AttachmentSettings>;

/** Dependencies for reading files: the same for all turns of an oracle. */
export interface Reading {
  readonly outbound: PluginBoot['outbound'];
  readonly uploads: Pick<UploadStore, 'find'>;
  readonly pools: AttachmentPools;
  /** Absent: recordings are not transcribed. */
  readonly transcribe: Transcribe | undefined;
}

/** The files of one turn: each is read once, with the user's own session, and released with the turn. */
export class TurnFiles {
  readonly #context: AttachmentsContext;
  readonly #reading: Reading;
  readonly #read = new Map<StoredAttachment, Promise<ReadFile>>();
  #own: Promise<ModelFile[]> | undefined;
  readonly #permits: Permit[] = [];

  constructor(context: AttachmentsContext, reading: Reading) {
    this.#context = context;
    this.#reading = reading;
    const release = () => {
      for (const permit of this.#permits.splice(0)) permit.release();
    };
    context.over.addEventListener('abort', release, { once: true });
  }

  /** The files of the message to answer, for the model. Never rejects. */
  ofMessage(): Promise<ModelFile[]> {
    this.#own ??= this.#readAll(this.#context.message.attachments);
    return this.#own;
  }

  /** @throws ReadError */
  read(attachment: StoredAttachment, signal = this.#deadline()): Promise<ReadFile> {
    const known = this.#read.get(attachment);
    if (known !== undefined) return known;
    const reading = this.#readOnce(attachment, signal);
    this.#read.set(attachment, reading);
    // A failed read may succeed at the next request.
    reading.catch(() => this.#read.delete(attachment));
    return reading;
  }

  /** Reads a file as `read` does, with the text of a PDF even for a model that accepts PDFs. @throws ReadError */
  async readText(attachment: StoredAttachment): Promise<ReadFile> {
    const signal = this.#deadline();
    const file = await this.read(attachment, signal);
    if (file.kind !== 'pdf') return file;
    return { kind: 'text', text: await this.#pdfText(Buffer.from(file.bytes), signal) };
  }

  /** Other files of the conversation, for the model, in their order. Never rejects. */
  ofConversation(attachments: readonly StoredAttachment[], from: FilesFrom): Promise<ModelFile[]> {
    return from === 'history' ? this.#ofHistory(attachments) : this.#readAll(attachments);
  }

  /** The newest images of earlier messages, as many as the settings allow; all other files by their names. */
  async #ofHistory(attachments: readonly StoredAttachment[]): Promise<ModelFile[]> {
    const { config, model } = this.#context;
    let [images, bytes] = [config.ATTACHMENT_HISTORY_IMAGES, config.ATTACHMENT_HISTORY_BYTES];
    const files = attachments.map(namedFile);
    const signal = this.#deadline();
    for (const [place, attachment] of [...attachments.entries()].reverse()) {
      const isShown = attachment.mimetype.startsWith('image/') && (attachment.size ?? 0) <= bytes;
      if (!isShown || images === 0 || model.seesImages !== true) continue;
      images -= 1;
      const file = await this.read(attachment, signal).catch((error: unknown) => this.#readError(error));
      // For files without a known size.
      if (file instanceof ReadError || file.kind !== 'image' || file.bytes.length > bytes) continue;
      bytes -= file.bytes.length;
      files[place] = { filename: attachment.filename, ...file };
    }
    return files;
  }

  async #readAll(attachments: readonly StoredAttachment[]): Promise<ModelFile[]> {
    const { config, model } = this.#context;
    const signal = this.#deadline();
    const waiting = [...attachments.entries()];
    const results = new Map<number, ReadFile | ReadError>();
    const readNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [place, attachment] = next;
        results.set(place, await this.read(attachment, signal).catch((error: unknown) => this.#readError(error)));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, readNext));
    const window = Math.floor((model.contextTokens ?? Number.POSITIVE_INFINITY) * windowShare);
    const tokens = Math.floor(Math.min(config.ATTACHMENT_TOKENS, window) / Math.max(1, attachments.length));
    return attachments.map(({ filename }, place): ModelFile => {
      const result = results.get(place) ?? new ReadError('busy');
      if (!(result instanceof ReadError)) return modelFile(filename, result, tokens);
      return { kind: 'unread', filename, reason: inWords(result.problem) };
    });
  }

  async #readOnce(attachment: StoredAttachment, signal: AbortSignal): Promise<ReadFile> {
    const { config, session, user, model, matrix = {} } = this.#context;
    const { outbound, uploads, pools } = this.#reading;
    const isImage = attachment.mimetype.startsWith('image/');
    if (isImage && !config.ATTACHMENT_TYPES.includes('image')) throw new ReadError('type_off');
    if (isImage && model.seesImages !== true) throw new ReadError('blind_model');
    // The message's own room overrides the room of its session.
    const named = session.metadata['roomId'];
    const isNamed = typeof named === 'string' && named.length <= roomIdChars;
    const parts = {
      outbound,
      settings: config,
      session: matrix,
      roomId: isNamed ? named : session.roomId,
      uploaded: async (attachmentId: string) => {
        const file = await uploads.find(user.did, attachmentId, user.currentTime);
        return file?.sessionId === session.id ? file.bytes : undefined;
      },
      signal,
    };
    const room = pools.files.tryAcquire(this.#holder(), config.ATTACHMENT_MAX_BYTES);
    if ('full' in room) throw new ReadError('busy');
    let readSize = 0;
    try {
      const file = await this.#recognised(await readAttachment(attachment, parts), signal);
      readSize = file.kind === 'text' ? file.text.length : file.bytes.length;
      return file;
    } finally {
      room.release();
      this.#keep(Math.min(readSize, config.ATTACHMENT_MAX_BYTES));
    }
  }

  async #recognised(bytes: Buffer, signal: AbortSignal): Promise<ReadFile> {
    const { config, model } = this.#context;
    const file = recogniseFile(bytes);
    if (file === undefined) throw new ReadError('unreadable_type');
    if (!config.ATTACHMENT_TYPES.includes(file.kind)) throw new ReadError('type_off');
    const media = file.kind === 'text' ? undefined : { kind: file.kind, mediaType: mediaTypeOf(file), bytes };
    if (media !== undefined && accepts(model, media)) return media;
    switch (file.kind) {
      case 'text':
        return file;
      case 'pdf':
        return { kind: 'text', text: await this.#pdfText(bytes, signal) };
      case 'audio':
        if (this.#reading.transcribe === undefined) throw new ReadError('no_listener');
        return {
          kind: 'text',
          text: await this.#reading.transcribe(bytes, file.mediaType, signal),
          isTranscript: true,
        };
      case 'image':
        throw new ReadError('blind_model');
    }
  }

  #pdfText(bytes: Buffer, signal: AbortSignal): Promise<string> {
    return pdfText(bytes, this.#reading.pools.pdfThreads, this.#holder(), signal);
  }

  /** Holds the size of a file until the turn is over, and releases the rest of its reservation. */
  #keep(bytes: number): void {
    if (this.#context.over.aborted || bytes === 0) return;
    const permit = this.#reading.pools.files.tryAcquire(this.#holder(), bytes);
    if ('release' in permit) this.#permits.push(permit);
  }

  #holder(): Holder {
    const { did, address = did } = this.#context.user;
    return { user: did, address };
  }

  #readError(error: unknown): ReadError {
    const { logger } = this.#context;
    if (!(error instanceof ReadError)) {
      logger.warn({ err: error }, 'attachment not read');
      return new ReadError('unreachable');
    }
    logger.info({ problem: error.problem }, 'attachment not read');
    return error;
  }

  #deadline(): AbortSignal {
    const { abortSignal, over, config } = this.#context;
    return AbortSignal.any([abortSignal, over, AbortSignal.timeout(config.ATTACHMENT_TIMEOUT_MS)]);
  }
}

function namedFile({ filename, mimetype: mediaType }: StoredAttachment): ModelFile {
  return { kind: 'named', filename, mediaType };
}

/** A file that was read: its text, or the file itself for a model that accepts it. */
export type ReadFile =
  | { readonly kind: 'text'; readonly text: string; readonly isTranscript?: true }
  | { readonly kind: MediaKind; readonly mediaType: string; readonly bytes: Uint8Array };

/** A file for the model, its text cut to a number of tokens. Pure. */
function modelFile(filename: string, file: ReadFile, tokens: number): ModelFile {
  if (file.kind !== 'text') return { filename, ...file };
  const text = cutToTokens(file.text, tokens);
  return { filename, ...file, text, leftChars: file.text.length - text.length };
}

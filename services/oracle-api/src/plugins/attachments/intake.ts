import { bareHost, isNamedHost, portOf } from '@mlango/outbound/named-hosts';
import { poolFull } from '@mlango/service-kit/shared-pools';
import type { FileIntake, FileOwner, NewFile } from '../../files/file-intake.js';
import type { AnsweringModel } from '../../models/language-model.js';
import { accepts } from '../../models/media.js';
import type { SharedPool } from '../../shared-pools.js';
import type { StoredAttachment } from '../../store/sessions.js';
import { countedUpload, openUploadPool } from './attachment-pools.js';
import {
  audioTypes,
  imageTypes,
  kindOfType,
  mediaTypeOf,
  type RecognisedFile,
  recogniseFile,
} from './read/recognise-file.js';
import type { AttachmentBoot } from './tables.js';
import type { UploadStore } from './upload-store.js';
import { addUpload, expiryOf, type UploadedFile } from './upload-store.js';

interface IntakeParts {
  /** Memory in bytes, for files that turns have read and for files held for turns. */
  readonly files: SharedPool;
  readonly hasTranscription: boolean;
}

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'audio/mpeg': 'mp3',
};

/** Files inside other requests: stored as uploads, or held in memory. */
export class Intake implements FileIntake {
  readonly #boot: AttachmentBoot;
  readonly #parts: IntakeParts;
  readonly #bodies: SharedPool;
  readonly #held = new Map<string, UploadedFile>();

  constructor(boot: AttachmentBoot, parts: IntakeParts) {
    this.#boot = boot;
    this.#parts = parts;
    this.#bodies = openUploadPool(boot.openPool, boot.config);
  }

  get fileBytes(): number {
    return this.#boot.config.ATTACHMENT_MAX_BYTES;
  }

  get requestBytes(): number {
    return this.#boot.config.ATTACHMENT_REQUEST_BYTES;
  }

  /** Uploads for turns, including those in memory. */
  get uploads(): Pick<UploadStore, 'find'> {
    return {
      find: async (ownerDid, attachmentId, now) => {
        const held = this.#held.get(attachmentId);
        return held?.ownerDid === ownerDid ? held : this.#boot.own.find(ownerDid, attachmentId, now);
      },
    };
  }

  recognise(bytes: Buffer, declared: string | undefined, model: AnsweringModel) {
    const { ATTACHMENT_TYPES: kinds } = this.#boot.config;
    const file = recogniseFile(bytes);
    if (file === undefined || !kinds.includes(file.kind)) {
      return { refusal: `this oracle does not read files of that kind, only: ${kinds.join(', ')}` };
    }
    const mediaType = mediaTypeOf(file);
    const kind = kindOfType(declared);
    if (kind !== undefined && kind !== file.kind) {
      return { refusal: `is declared as ${declared?.slice(0, 100)}, but its content is ${mediaType}` };
    }
    const refusal = this.#notFor(model, { kind: file.kind, mediaType });
    return refusal === undefined
      ? { mediaType, extension: extensions[mediaType] ?? mediaType.split('/')[1] ?? 'bin' }
      : { refusal };
  }

  mediaTypes(model: AnsweringModel): readonly string[] {
    const { ATTACHMENT_TYPES: kinds } = this.#boot.config;
    const types = { text: ['text/plain'], image: imageTypes, pdf: ['application/pdf'], audio: audioTypes };
    return kinds.flatMap((kind) =>
      types[kind].filter((mediaType) => this.#notFor(model, { kind, mediaType }) === undefined),
    );
  }

  refusalOfUrl(url: string, declared: string | undefined, model: AnsweringModel): string | undefined {
    const { ATTACHMENT_HOSTS, MATRIX_HOMESERVERS } = this.#boot.config;
    if (declared?.startsWith('image/') && model.seesImages !== true) return blind(model);
    const { protocol, hostname, origin } = new URL(url);
    if (protocol === 'mxc:') return MATRIX_HOMESERVERS.length > 0 ? undefined : `mxc:// addresses ${notRead}`;
    const isNamed = isNamedHost(ATTACHMENT_HOSTS, bareHost(hostname), portOf(new URL(url)));
    return isNamed || MATRIX_HOMESERVERS.includes(origin)
      ? undefined
      : `files at ${hostname.slice(0, 255)} ${notRead}, or ask the operator to name the host in ATTACHMENT_HOSTS`;
  }

  async find({ ownerDid, sessionId }: FileOwner, attachmentId: string): Promise<StoredAttachment | undefined> {
    const file = await this.#boot.own.find(ownerDid, attachmentId, this.#boot.now());
    return file?.sessionId === sessionId ? attachmentOf(file) : undefined;
  }

  async store(owner: FileOwner, files: readonly NewFile[]): Promise<readonly StoredAttachment[]> {
    const stored: StoredAttachment[] = [];
    try {
      for (const file of files) {
        const upload = this.#uploadOf(owner, file);
        await addUpload(this.#boot.own, upload, this.#boot.config);
        stored.push(attachmentOf(upload));
      }
      return stored;
    } catch (error) {
      // The first failure is reported.
      await this.remove(owner, stored).catch(() => undefined);
      throw error;
    }
  }

  async remove({ ownerDid }: FileOwner, attachments: readonly StoredAttachment[]): Promise<void> {
    for (const { attachmentId } of attachments) {
      if (attachmentId !== undefined) await this.#boot.own.remove(ownerDid, attachmentId);
    }
  }

  hold(owner: FileOwner, files: readonly NewFile[]) {
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    const holder = { user: owner.ownerDid, address: owner.address ?? owner.ownerDid };
    const permit = bytes === 0 ? undefined : this.#parts.files.tryAcquire(holder, bytes);
    if (permit !== undefined && 'full' in permit) throw poolFull(permit.full, 2);
    const held = files.map((file) => this.#uploadOf(owner, file));
    for (const file of held) this.#held.set(file.attachmentId, file);
    const release = () => {
      permit?.release();
      for (const { attachmentId } of held) this.#held.delete(attachmentId);
    };
    return { attachments: held.map(attachmentOf), release };
  }

  countBody(holder: { readonly user: string; readonly address: string }) {
    return countedUpload(this.#bodies, holder);
  }

  #uploadOf({ ownerDid, sessionId }: FileOwner, { bytes, mediaType, filename }: NewFile): UploadedFile {
    const { now, newId, config } = this.#boot;
    const createdAt = now();
    const size = { sizeBytes: bytes.length, createdAt, expiresAt: expiryOf(createdAt, config) };
    return { attachmentId: newId(), ownerDid, sessionId, filename, mediaType, bytes, ...size };
  }

  #notFor(model: AnsweringModel, { kind, mediaType }: { kind: RecognisedFile['kind']; mediaType: string }) {
    if (kind === 'image') return accepts(model, { kind, mediaType }) ? undefined : blind(model);
    if (kind !== 'audio' || this.#parts.hasTranscription || accepts(model, { kind, mediaType })) return undefined;
    return `the model ${model.id} does not accept ${mediaType}, and this oracle has no transcription`;
  }
}

const notRead = 'are not read: send the bytes as a data: URL';

function blind({ id }: AnsweringModel): string {
  return `the model ${id} cannot look at images; another model may (GET /models)`;
}

function attachmentOf({ attachmentId, filename, mediaType, sizeBytes }: UploadedFile): StoredAttachment {
  return { attachmentId, filename, mimetype: mediaType, size: sizeBytes };
}

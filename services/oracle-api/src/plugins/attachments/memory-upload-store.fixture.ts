import type { Upload, UploadedFile, UploadLimits, UploadStore } from './upload-store.js';

/** In-memory uploads, for tests of code that depends on the port. */
export class MemoryUploadStore implements UploadStore {
  readonly #hasSession: (ownerDid: string, sessionId: string) => Promise<boolean>;
  #files: readonly UploadedFile[] = [];

  constructor(hasSession: (ownerDid: string, sessionId: string) => Promise<boolean>) {
    this.#hasSession = hasSession;
  }

  async add(file: UploadedFile, limits: UploadLimits) {
    if (!(await this.#hasSession(file.ownerDid, file.sessionId))) return 'no_session';
    this.#files = this.#files.filter(({ expiresAt }) => expiresAt > file.createdAt);
    const own = this.#of(file.ownerDid);
    const kept = own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (own.length >= limits.files || kept + file.sizeBytes > limits.bytes) return 'full';
    this.#files = [...this.#files, file];
    return 'added';
  }

  async find(ownerDid: string, attachmentId: string, now: Date) {
    const file = this.#of(ownerDid).find((each) => each.attachmentId === attachmentId && each.expiresAt > now);
    return file && (await this.#hasSession(ownerDid, file.sessionId)) ? file : undefined;
  }

  async list(ownerDid: string, { limit, after }: { readonly limit: number; readonly after?: Upload | undefined }) {
    const sorted = this.#of(ownerDid).toSorted((one, other) => order(one) - order(other));
    const from =
      after === undefined ? 0 : sorted.findIndex(({ attachmentId }) => attachmentId === after.attachmentId) + 1;
    return sorted.slice(from, from + limit).map(({ bytes: _bytes, ...upload }) => upload);
  }

  async remove(ownerDid: string, attachmentId: string) {
    return this.#drop((file) => file.ownerDid === ownerDid && file.attachmentId === attachmentId) > 0;
  }

  async removeAll(ownerDid: string) {
    return this.#drop((file) => file.ownerDid === ownerDid);
  }

  #drop(which: (file: UploadedFile) => boolean): number {
    const before = this.#files.length;
    this.#files = this.#files.filter((file) => !which(file));
    return before - this.#files.length;
  }

  #of(ownerDid: string): UploadedFile[] {
    return this.#files.filter((file) => file.ownerDid === ownerDid);
  }
}

const order = ({ createdAt }: Upload) => createdAt.getTime();

interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
  readonly expiresAtMs: number;
}

const limit = 100;

/**
 * Keeps texts sealed with AES-GCM, under a key that no script can take out of the browser, until they expire: what lies in the
 * page's memory is of no use elsewhere. Where a page has no Web Crypto (plain HTTP) nothing is kept.
 */
export class SealedCache {
  readonly #sealed = new Map<string, Sealed>();
  #key: Promise<CryptoKey> | undefined;

  async get(name: string, nowMs: number): Promise<string | undefined> {
    const found = this.#sealed.get(name);
    if (found === undefined) return undefined;
    if (found.expiresAtMs <= nowMs) {
      this.#sealed.delete(name);
      return undefined;
    }
    const { iv, bytes } = found;
    return new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await this.#ownKey(), bytes));
  }

  async put(name: string, text: string, expiresAtMs: number): Promise<void> {
    if (globalThis.crypto?.subtle === undefined) return;
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const plain = new TextEncoder().encode(text);
    const bytes = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await this.#ownKey(), plain);
    const [oldest] = this.#sealed.keys();
    if (this.#sealed.size >= limit && oldest !== undefined) this.#sealed.delete(oldest);
    this.#sealed.set(name, { iv, bytes, expiresAtMs });
  }

  delete(name: string): void {
    this.#sealed.delete(name);
  }

  #ownKey(): Promise<CryptoKey> {
    this.#key ??= crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    return this.#key;
  }
}

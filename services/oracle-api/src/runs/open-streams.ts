import type { Readable } from 'node:stream';

/** The streams that are being read now, so that a shutdown can wait for them, but not for ever. */
export class OpenStreams {
  readonly #open = new Set<Readable>();
  #onEmpty: (() => void) | undefined;

  add<Stream extends Readable>(stream: Stream): Stream {
    this.#open.add(stream);
    stream.once('close', () => {
      this.#open.delete(stream);
      if (this.#open.size === 0) this.#onEmpty?.();
    });
    return stream;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Resolves when every stream has been read to its end; those that have not after `graceMs` are cut. */
  async finish(graceMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    for (const stream of this.#open) stream.destroy();
  }
}

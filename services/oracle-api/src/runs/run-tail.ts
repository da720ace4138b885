import type { RunFrame } from './run-store.js';
import type { Wake } from './wake.js';

/** Characters of the newest frames of a run that are kept for its readers. */
const tailChars = 8_192;

/**
 * The newest frames of a run that this process writes, as far as they are kept for good: its readers in the same process
 * need not read them back. It is shared by all of them, and small; who is further behind reads what was kept.
 */
export class RunTail {
  readonly #readers = new Set<Wake>();
  #frames: RunFrame[] = [];
  #chars = 0;
  /** Undefined as long as it is not known where the log stands. */
  #lastId: number | undefined;

  constructor(lastId?: number) {
    this.#lastId = lastId;
  }

  /** Takes what has been kept just now. */
  push(frames: readonly RunFrame[]): void {
    for (const frame of frames) {
      this.#lastId = frame.id;
      if (this.#readers.size === 0) continue;
      this.#frames.push(frame);
      this.#chars += frame.data.length;
    }
    while (this.#chars > tailChars) this.#chars -= this.#frames.shift()?.data.length ?? 0;
    this.wake();
  }

  /** The frames above `after`, none when there are none yet; undefined when they are not all here. */
  read(after: number): readonly RunFrame[] | undefined {
    if (this.#lastId === undefined) return undefined;
    if (after >= this.#lastId) return [];
    const first = this.#frames[0]?.id ?? this.#lastId + 1;
    return after >= first - 1 ? this.#frames.slice(after - first + 1) : undefined;
  }

  tell(reader: Wake): void {
    this.#readers.add(reader);
  }

  leave(reader: Wake): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#frames = [];
    this.#chars = 0;
  }

  wake(): void {
    for (const reader of this.#readers) reader.tell();
  }
}

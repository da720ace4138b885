import type { Notifier } from './notifier.js';
import type { RunFrame } from './store.js';

/** Characters of the newest frames of a run that are buffered for its readers. */
const tailChars = 8_192;
/** The same for frames that are stored nowhere else. */
const shownChars = 1_048_576;

/**
 * Buffer of the newest frames of a run that this process writes, stored or not yet storable, so that readers in the same process need no
 * store reads. All readers share it. A reader that is further behind reads the store.
 */
export class RunTail {
  readonly #readers = new Set<Notifier>();
  #frames: RunFrame[] = [];
  #chars = 0;
  /** Undefined while the position of the log is unknown. */
  #lastId: number | undefined;
  /** The frames are stored nowhere else. */
  #isShown = false;
  #isEnded = false;

  /** @param all frames of the log; undefined if unknown. They are buffered for the first reader or until new ones arrive */
  constructor(all?: readonly RunFrame[]) {
    if (all === undefined) return;
    this.#lastId = 0;
    this.#add(all);
  }

  /** Adds frames that were just stored. */
  push(frames: readonly RunFrame[]): void {
    this.#isShown = false;
    this.#add(frames);
    if (this.#readers.size === 0) this.#clear();
    this.notifyReaders();
  }

  /** Adds the last frames, which were just stored. */
  end(last: readonly RunFrame[]): void {
    this.#isEnded = true;
    this.push(last);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Adds frames that cannot be stored: at first the whole log. */
  show(frames: readonly RunFrame[]): void {
    if (!this.#isShown) {
      this.#clear();
      this.#lastId = 0;
    }
    this.#isShown = true;
    this.#add(frames);
    this.notifyReaders();
  }

  /** The frames above `after`, empty if there are none yet; undefined when the buffer lacks some of them. */
  read(after: number): readonly RunFrame[] | undefined {
    if (this.#lastId === undefined) return undefined;
    if (after >= this.#lastId) return [];
    const [first] = this.#frames;
    if (first === undefined || after < first.id - 1) return undefined;
    // Most readers lack only the last frame.
    let place = this.#frames.length - 1;
    while (place > 0 && (this.#frames[place - 1]?.id ?? 0) > after) place -= 1;
    return this.#frames.slice(place);
  }

  addReader(reader: Notifier): void {
    this.#readers.add(reader);
  }

  removeReader(reader: Notifier): void {
    this.#readers.delete(reader);
    if (this.#readers.size === 0 && !this.#isShown) this.#clear();
  }

  notifyReaders(): void {
    for (const reader of this.#readers) reader.notify();
  }

  #add(frames: readonly RunFrame[]): void {
    for (const frame of frames) {
      if (frame.id <= (this.#lastId ?? 0)) continue;
      this.#lastId = frame.id;
      this.#frames.push(frame);
      this.#chars += frame.data.length;
    }
    const most = this.#isShown ? shownChars : tailChars;
    while (this.#chars > most) this.#chars -= this.#frames.shift()?.data.length ?? 0;
  }

  #clear(): void {
    this.#frames = [];
    this.#chars = 0;
  }
}

import { restOf } from './frames.js';
import type { Notifier } from './notifier.js';
import type { JoinedFrame, RunFrame } from './store.js';

/** Characters of the newest frames of a run that are kept for its readers. */
const tailChars = 8_192;
/** The same while they are kept nowhere else. */
const shownChars = 1_048_576;

/**
 * The newest frames of a run that this process writes, as far as they are kept for good, or can be kept nowhere now: its readers
 * in the same process need not read them back. It is shared by all of them, and small; who is further behind reads what was kept.
 */
export class RunTail {
  readonly #readers = new Set<Notifier>();
  #frames: JoinedFrame[] = [];
  #chars = 0;
  /** Undefined as long as it is not known where the log stands. */
  #lastId: number | undefined;
  /** What is here is kept nowhere else. */
  #isShown = false;
  #isEnded = false;

  /** @param all there is in the log; undefined where that is not known. They wait for the first reader, or for more to come. */
  constructor(all?: readonly JoinedFrame[]) {
    if (all === undefined) return;
    this.#lastId = 0;
    this.#add(all);
  }

  /** Takes what has been kept just now. */
  push(frames: readonly RunFrame[]): void {
    this.#isShown = false;
    this.#add(frames);
    if (this.#readers.size === 0) this.#clear();
    this.wake();
  }

  /** Nothing follows what has been kept just now. */
  end(last: readonly RunFrame[]): void {
    this.#isEnded = true;
    this.push(last);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Takes what cannot be kept: the first time all that there is, with its text joined. */
  show(frames: readonly JoinedFrame[]): void {
    if (!this.#isShown) {
      this.#clear();
      this.#lastId = 0;
    }
    this.#isShown = true;
    this.#add(frames);
    this.wake();
  }

  /** The frames above `after`, none when there are none yet; undefined when they are not all here. */
  read(after: number): readonly RunFrame[] | undefined {
    if (this.#lastId === undefined) return undefined;
    if (after >= this.#lastId) return [];
    const [first] = this.#frames;
    if (first === undefined || after < first.id - (first.lengths?.length ?? 1)) return undefined;
    // Most have all but the last of them.
    let place = this.#frames.length - 1;
    while (place > 0 && (this.#frames[place - 1]?.id ?? 0) > after) place -= 1;
    return this.#frames.slice(place).map((frame) => restOf(frame, after));
  }

  addReader(reader: Notifier): void {
    this.#readers.add(reader);
  }

  removeReader(reader: Notifier): void {
    this.#readers.delete(reader);
    if (this.#readers.size === 0 && !this.#isShown) this.#clear();
  }

  wake(): void {
    for (const reader of this.#readers) reader.notify();
  }

  #add(frames: readonly JoinedFrame[]): void {
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

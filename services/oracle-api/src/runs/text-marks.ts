import { lengthsText, readLengths } from './lengths-text.js';
import type { JoinedFrame } from './run-store.js';

/**
 * How long the answer was after each frame of a run. Kept with the run's record when it has ended, it tells how much of the
 * answer a reader has who comes back after the frames themselves are gone.
 */
export class TextMarks {
  /** By frame, 1 the first. */
  readonly #ends: number[] = [];
  #lastTextId = 0;

  /** Of all frames of a log in their order, of which some may stand for several. */
  static of(frames: readonly JoinedFrame[]): TextMarks {
    const marks = new TextMarks();
    for (const { event, lengths = [], textLength, id } of frames) {
      if (event === 'message') for (const length of lengths.slice(0, -1)) marks.add(length);
      // What stands for others without text, as of reasoning, has their ids all the same.
      while (marks.lastId < id - 1) marks.add(0);
      marks.add(textLength - marks.total);
    }
    return marks;
  }

  /** @param text what `toString` gave. */
  static read(text: string): TextMarks {
    const marks = new TextMarks();
    if (text !== '') for (const length of readLengths(text)) marks.add(length);
    return marks;
  }

  /** Takes the next frame, with the characters that it brings to the answer. */
  add(length: number): void {
    this.#ends.push(this.total + length);
    if (length > 0) this.#lastTextId = this.#ends.length;
  }

  /** The same with so many frames behind them that bring no text. */
  followedBy(frames: number): TextMarks {
    const marks = new TextMarks();
    for (const end of this.#ends) marks.add(end - marks.total);
    for (let frame = 0; frame < frames; frame++) marks.add(0);
    return marks;
  }

  /** The id of the last frame. */
  get lastId(): number {
    return this.#ends.length;
  }

  /** The id of the last frame that brought text, 0 when none did. */
  get lastTextId(): number {
    return this.#lastTextId;
  }

  /** Characters of the answer. */
  get total(): number {
    return this.#ends.at(-1) ?? 0;
  }

  /** Characters of the answer up to and with that frame; all of them for a later one. */
  lengthAt(id: number): number {
    return id <= 0 ? 0 : (this.#ends[id - 1] ?? this.total);
  }

  /** Characters that each of the frames 1 to `upTo` brought. */
  lengths(upTo: number): number[] {
    return this.#ends.slice(0, upTo).map((end, index) => end - (this.#ends[index - 1] ?? 0));
  }

  /** One number a frame, so that half a thousand frames take about a kilobyte. One frame without text is `0`. */
  toString(): string {
    const text = lengthsText(this.lengths(this.lastId));
    return text === '' && this.lastId === 1 ? '0' : text;
  }
}

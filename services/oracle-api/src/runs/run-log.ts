import { joinFrames, restOf, textLengthIn } from './joined-frames.js';
import type { JoinedFrame, RunKey, RunLogPart } from './run-store.js';
import type { Wake } from './wake.js';

/** What keeping a frame costs beside its data, in characters, roughly. */
const frameOverheadChars = 64;

/** Characters of what is read at once, beyond its first frame. */
export const partChars = 65_536;

/** The frames of one run, kept once for all of its readers. */
export class RunLog {
  readonly run: RunKey;
  writerId: string;
  #frames: JoinedFrame[] = [];
  readonly #readers = new Set<Wake>();
  #chars = 0;
  #endedAtMs: number | undefined;

  constructor(run: RunKey, writerId: string) {
    this.run = run;
    this.writerId = writerId;
  }

  /** What the log takes, in characters. */
  get chars(): number {
    return this.#chars;
  }

  get endedAtMs(): number | undefined {
    return this.#endedAtMs;
  }

  append(frames: readonly JoinedFrame[]): void {
    for (const frame of frames) {
      if (frame.id <= (this.#frames.at(-1)?.id ?? 0)) continue;
      this.#frames.push(frame);
      this.#chars += charsOf(frame);
    }
    this.wake();
  }

  end(nowMs: number): void {
    this.#endedAtMs = nowMs;
    this.wake();
  }

  /** Puts text that came in a row together, of a run that has ended. */
  join(): void {
    this.#frames = [...joinFrames(this.#frames)];
    this.#chars = this.#frames.reduce((chars, frame) => chars + charsOf(frame), 0);
  }

  read(after: number): RunLogPart {
    const start = this.#placeAfter(after);
    let end = start;
    let chars = 0;
    for (let frame = this.#frames[end]; frame !== undefined; frame = this.#frames[end]) {
      chars += frame.data.length;
      if (end > start && chars > partChars) break;
      end++;
    }
    return {
      frames: this.#frames.slice(start, end).map((frame) => restOf(frame, after)),
      isEnded: this.#endedAtMs !== undefined && end >= this.#frames.length,
    };
  }

  textLengthAt(id: number): number | undefined {
    const frame = this.#frames[this.#placeAfter(id - 1)];
    return frame === undefined ? undefined : textLengthIn(frame, id);
  }

  /** Where the first frame with a higher id stands. As long as none are joined, that is the number of those before it. */
  #placeAfter(after: number): number {
    if (this.#frames.at(-1)?.id === this.#frames.length) return Math.max(0, after);
    const place = this.#frames.findIndex(({ id }) => id > after);
    return place === -1 ? this.#frames.length : place;
  }

  /** Tells the reader of every change from now on. */
  tell(reader: Wake): void {
    this.#readers.add(reader);
  }

  leave(reader: Wake): void {
    this.#readers.delete(reader);
  }

  wake(): void {
    for (const reader of this.#readers) reader.tell();
  }
}

function charsOf({ data, lengths = [] }: JoinedFrame): number {
  return data.length + lengths.length + frameOverheadChars;
}

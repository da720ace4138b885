import type { RunFrame, RunKey, RunLogPart } from './run-store.js';
import type { Wake } from './wake.js';

/** What keeping a frame costs beside its data, in characters, roughly. */
const frameOverheadChars = 64;

/** Characters of what is read at once, beyond its first frame. */
export const partChars = 65_536;

/** The frames of one run, kept once for all of its readers. */
export class RunLog {
  readonly run: RunKey;
  writerId: string;
  readonly #frames: RunFrame[] = [];
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

  append(frames: readonly RunFrame[]): void {
    for (const frame of frames) {
      if (frame.id <= this.#frames.length) continue;
      this.#frames.push(frame);
      this.#chars += frame.data.length + frameOverheadChars;
    }
    this.wake();
  }

  end(nowMs: number): void {
    this.#endedAtMs = nowMs;
    this.wake();
  }

  read(after: number): RunLogPart {
    const start = Math.max(0, after);
    let end = start;
    let chars = 0;
    for (let frame = this.#frames[end]; frame !== undefined; frame = this.#frames[end]) {
      chars += frame.data.length;
      if (end > start && chars > partChars) break;
      end++;
    }
    return {
      frames: this.#frames.slice(start, end),
      isEnded: this.#endedAtMs !== undefined && end >= this.#frames.length,
    };
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

import type { RunEvent, RunStatus } from '@mlango/schemas/oracle-events';
import type { RunFrame, RunStart } from './run-store.js';

/** What keeping a frame costs beside its data, in characters, roughly. */
const frameOverheadChars = 64;

/** Characters of one batch, beyond its first frame. */
const batchChars = 65_536;

/** The frames of one run, kept once for all of its readers. */
export class RunLog {
  readonly run: RunStart;
  readonly #frames: RunFrame[] = [];
  readonly #waiting = new Set<() => void>();
  #chars = 0;
  #status: RunStatus = 'running';
  #endedAtMs: number | undefined;

  constructor(run: RunStart) {
    this.run = run;
  }

  /** What the log takes, in characters. */
  get chars(): number {
    return this.#chars;
  }

  get status(): RunStatus {
    return this.#status;
  }

  get endedAtMs(): number | undefined {
    return this.#endedAtMs;
  }

  append(event: RunEvent): void {
    const data = JSON.stringify(event.data);
    this.#frames.push({ id: this.#frames.length + 1, event: event.event, data });
    this.#chars += data.length + frameOverheadChars;
    this.#wake();
  }

  end(status: RunStatus, nowMs: number): void {
    this.#status = status;
    this.#endedAtMs = nowMs;
    this.#wake();
  }

  async *follow(after: number, signal: AbortSignal): AsyncIterable<readonly RunFrame[]> {
    let next = Math.max(0, after);
    while (!signal.aborted) {
      const batch = this.#batch(next);
      if (batch.length > 0) {
        next += batch.length;
        yield batch;
      } else if (this.#endedAtMs !== undefined) {
        return;
      } else {
        await this.#change(signal);
      }
    }
  }

  #batch(start: number): RunFrame[] {
    let end = start;
    let chars = 0;
    for (let frame = this.#frames[end]; frame !== undefined; frame = this.#frames[end]) {
      chars += frame.data.length;
      if (end > start && chars > batchChars) break;
      end++;
    }
    return this.#frames.slice(start, end);
  }

  /** Resolves at the next change of the log, or when the reader leaves. */
  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}

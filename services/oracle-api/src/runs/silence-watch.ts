import { isLive, type RunRegister } from './run-register.js';
import type { RunStart, RunStore } from './run-store.js';

/** Made once: an error with a stack for each stream that ends costs more than its use. */
const isOver = new Error('the reading is over');

interface SilenceWatchParts {
  readonly runs: Pick<RunStore, 'read'>;
  readonly register: Pick<RunRegister, 'find'>;
  readonly silenceMs: number;
}

/**
 * Ends the reading of a log that nobody will finish: its writer died between the end of the run and the end of the log.
 * It has to be found silent twice, by a store that answers, so that a writer who is only slow is waited for. One that was heard
 * since the last look is not looked at.
 */
export class SilenceWatch {
  readonly #parts: SilenceWatchParts;
  readonly #run: RunStart;
  readonly #reader: AbortSignal;
  readonly #over = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #last: number;
  #hasHeard = false;
  #timesSilent = 0;

  /**
   * @param last the frame after which it is read
   * @param signal of the reader, which ends the reading too.
   */
  constructor(parts: SilenceWatchParts, run: RunStart, last: number, signal: AbortSignal) {
    this.#parts = parts;
    this.#run = run;
    this.#last = last;
    this.#reader = signal;
    if (signal.aborted) this.#end();
    // `AbortSignal.any` would be held weakly, which costs each stream more than all else here.
    signal.addEventListener('abort', this.#end);
    this.#timer = setInterval(() => void this.#look(), parts.silenceMs).unref();
  }

  /** Aborts when the reading is to end. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  heard(last: number): void {
    this.#last = last;
    this.#hasHeard = true;
    this.#timesSilent = 0;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#reader.removeEventListener('abort', this.#end);
  }

  readonly #end = (): void => this.#over.abort(isOver);

  async #look(): Promise<void> {
    const hasHeard = this.#hasHeard;
    this.#hasHeard = false;
    if (hasHeard) return;
    const { runId, ownerDid } = this.#run;
    const isAbandoned = await Promise.all([
      this.#parts.register.find(ownerDid, runId),
      this.#parts.runs.read(this.#run, this.#last),
    ]).then(
      ([record, part]) =>
        part?.frames.length === 0 &&
        !part.isEnded &&
        !(record !== undefined && (isLive(record.status) || record.status === 'waiting')),
      () => false,
    );
    this.#timesSilent = isAbandoned ? this.#timesSilent + 1 : 0;
    if (this.#timesSilent >= 2) this.#end();
  }
}

import { isLive, type RunRegister } from './run-register.js';
import type { RunStart, RunStore } from './run-store.js';

interface SilenceWatchParts {
  readonly runs: Pick<RunStore, 'read'>;
  readonly register: Pick<RunRegister, 'find'>;
  readonly silenceMs: number;
}

/**
 * Ends the reading of a log that nobody will finish: its writer died between the end of the run and the end of the log.
 * It has to be found silent twice, by a store that answers, so that a writer who is only slow is waited for.
 */
export class SilenceWatch {
  readonly #parts: SilenceWatchParts;
  readonly #run: RunStart;
  readonly #silent = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #last = 0;
  #timesSilent = 0;
  readonly signal: AbortSignal;

  constructor(parts: SilenceWatchParts, run: RunStart, signal: AbortSignal) {
    this.#parts = parts;
    this.#run = run;
    this.signal = AbortSignal.any([signal, this.#silent.signal]);
    this.#timer = setInterval(() => void this.#look(), parts.silenceMs).unref();
  }

  heard(last: number): void {
    this.#last = last;
    this.#timesSilent = 0;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
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
    if (this.#timesSilent >= 2) this.#silent.abort();
  }
}

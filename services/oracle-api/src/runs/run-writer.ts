import type { RunEvent } from '@mlango/schemas/oracle-events';
import { type RunFrame, type RunKey, RunLost, type RunStore } from './run-store.js';
import { takeWithin } from './take-within.js';
import { TextMarks } from './text-marks.js';

/** Characters that wait to be kept before the turn has to wait for them. */
const waitingChars = 262_144;
/** Characters of one append. */
const appendChars = 131_072;

export interface RunWriterOptions {
  readonly store: Pick<RunStore, 'append' | 'end' | 'forget'>;
  readonly run: RunKey;
  readonly writerId: string;
  /** Where the log stands when another process wrote it before. */
  readonly from?: TextMarks;
  /** False for a run that has no log: what is written is passed over. Default true. */
  readonly hasLog?: boolean;
  /** Pause after an append that failed. */
  readonly retryMs: number;
  /** How long a store that fails is tried before the rest of the log is given up. */
  readonly patienceMs: number;
  /** Called once: another process has taken the run over, or its log is gone. */
  readonly onLost: () => void;
  /** Called once, when the log is given up. The turn goes on without it. */
  readonly onBroken: (error: unknown) => void;
}

/**
 * Numbers the events of a run and keeps them, in order and each once. What is written while an append is under way goes
 * with the next one, so a fast model costs few appends; what cannot be kept now is tried again.
 */
export class RunWriter {
  readonly #options: RunWriterOptions;
  #waiting: RunFrame[] = [];
  #chars = 0;
  #pumping: Promise<void> | undefined;
  #state: 'open' | 'lost' | 'broken' = 'open';

  /** Of all that was written, kept or not. */
  readonly marks: TextMarks;

  constructor(options: RunWriterOptions) {
    this.#options = options;
    this.marks = options.from ?? new TextMarks();
    if (options.hasLog === false) this.#state = 'broken';
  }

  /** Whether so much waits to be kept that whoever writes much has to wait. */
  get isFull(): boolean {
    return this.#chars > waitingChars && this.#pumping !== undefined;
  }

  /** Resolves when there is room again, or the log was given up. Never rejects. */
  async room(): Promise<void> {
    if (this.isFull) await this.#pumping;
  }

  write(event: RunEvent): void {
    this.marks.add(event.event === 'message' ? event.data.content.length : 0);
    if (this.#state !== 'open') return;
    const data = JSON.stringify(event.data);
    const { lastId: id, total: textLength } = this.marks;
    this.#waiting.push({ id, event: event.event, data, textLength });
    this.#chars += data.length;
    this.#pumping ??= this.#pump();
  }

  /** Keeps what waits, and leaves the log open for a writer to come. Resolves when that is done or was given up. Never rejects. */
  async flush(): Promise<void> {
    while (this.#pumping !== undefined) await this.#pumping;
  }

  /**
   * Keeps what waits and closes the log. Resolves when that is done or was given up. Never rejects.
   *
   * @param isKept the answer is kept elsewhere: a log that was given up is dropped then, since nobody will end it.
   */
  async end(isKept: boolean): Promise<void> {
    await this.flush();
    const { store, run, writerId, hasLog } = this.#options;
    const close = () => store.end(run, writerId, isKept);
    if (this.#state === 'open') await close().catch((error: unknown) => this.#insist(close, error));
    if (this.#isBroken() && isKept && hasLog !== false) await store.forget([run]).catch(() => undefined);
  }

  #isBroken(): boolean {
    return this.#state === 'broken';
  }

  async #pump(): Promise<void> {
    // So that what is written in one turn of the event loop goes together.
    await Promise.resolve();
    const { store, run, writerId } = this.#options;
    while (this.#waiting.length > 0 && this.#state === 'open') {
      const frames = takeWithin(this.#waiting, appendChars, ({ data }) => data.length);
      try {
        await store.append(run, writerId, frames);
      } catch (error) {
        await this.#insist(() => store.append(run, writerId, frames), error);
      }
      for (const { data } of frames) this.#chars -= data.length;
    }
    if (this.#state !== 'open') this.#waiting = [];
    this.#pumping = undefined;
  }

  /** Tries again what failed, until it is done, the run is lost or patience is at its end. */
  async #insist(act: () => Promise<void>, failure: unknown): Promise<void> {
    const { retryMs, patienceMs, onLost, onBroken } = this.#options;
    let error = failure;
    for (let waitedMs = 0; ; waitedMs += retryMs) {
      if (error instanceof RunLost) {
        this.#state = 'lost';
        onLost();
        return;
      }
      if (waitedMs >= patienceMs) {
        this.#state = 'broken';
        onBroken(error);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs));
      try {
        await act();
        return;
      } catch (cause) {
        error = cause;
      }
    }
  }
}

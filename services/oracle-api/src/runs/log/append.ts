import { setTimeout as sleep } from 'node:timers/promises';
import { formatTextEnds, replayFrames, type TextEnds } from './frames.js';
import { type LoggedEvent, type RunFrame, type RunLogStore, type RunStart, StaleWriterError } from './store.js';

/** Characters in the buffer above which the turn waits for the store. */
const bufferChars = 262_144;
/** Characters of one append. */
const appendChars = 131_072;
/** Size of the log of one run, above which the rest of the answer is not logged. */
const logLimits = { frames: 250_000, chars: 16_777_216 };

/** `retryMs` and `patienceMs`: retry interval and total time for a failing store before the log is abandoned. */
export interface RunWriterOptions extends Pick<RetryOptions, 'retryMs' | 'patienceMs'> {
  readonly store: Pick<RunLogStore, 'append' | 'begin' | 'end' | 'forget' | 'pause' | 'showUnsaved'>;
  readonly run: RunStart;
  readonly writerId: string;
  readonly now: () => Date;
  /** Text ends of the frames that are in the log. Default none. */
  readonly textEnds?: TextEnds;
  /** Text of those frames. */
  readonly textBefore?: string;
  /** False for a run without a log: writes are ignored. Default true. */
  readonly hasLog?: boolean;
  readonly limits?: typeof logLimits;
  /** Whether this writer still holds the run, even if its log is missing. Rejects when the repository is unavailable. */
  readonly isHeld: () => Promise<boolean>;
  /** Called once, when another process has taken over the run. */
  readonly onTakenOver: () => void;
  /** Called once, when the log is abandoned. The turn continues without it. */
  readonly onBroken: (error: unknown) => void;
}

/**
 * Numbers the events of a run and stores each once, in order. Events written during an append are batched into the next one, so a fast
 * model needs few appends. Frames that cannot be stored are sent to readers in this process and retried. A missing log is started again
 * with its earlier text and a gap marker. A log at its size limit ends with a gap marker: readers get the rest from the stored answer.
 */
export class RunWriter {
  readonly #options: RunWriterOptions;
  #buffered: RunFrame[] = [];
  #chars = 0;
  /** Characters of all frames written so far. */
  #logChars = 0;
  #isCut = false;
  #pumping: Promise<void> | undefined;
  #state: 'open' | 'taken_over' | 'broken' = 'open';
  /** The store fails, so frames are sent directly to readers in this process. */
  #isShowing = false;
  #text: string;

  /** Set when the log is to end with the buffered frames; and whether it has ended. */
  #ending: { readonly isAnswerStored: boolean } | undefined;
  #isEnded = false;
  /** Of all written frames, stored or not. */
  readonly #textEnds: number[];

  constructor(options: RunWriterOptions) {
    this.#options = options;
    this.#textEnds = [...(options.textEnds ?? [])];
    this.#text = options.textBefore ?? '';
    if (options.hasLog === false) this.#state = 'broken';
  }

  /** The stored form of the text ends of all written frames. */
  get textMarks(): string {
    return formatTextEnds(this.#textEnds);
  }

  /** Whether the buffer is full: the turn then waits for `room`. */
  get isFull(): boolean {
    return this.#chars > bufferChars && this.#pumping !== undefined;
  }

  /** Resolves when there is room again, or the log was abandoned. Never rejects. */
  async room(): Promise<void> {
    if (this.isFull) await this.#pumping;
  }

  write(event: LoggedEvent): void {
    const { frames, chars } = this.#options.limits ?? logLimits;
    if (this.#textEnds.length >= frames || this.#logChars > chars) this.#cut();
    this.#add(event);
  }

  #cut(): void {
    if (this.#isCut) return;
    this.#add({ event: 'run', data: { ...this.#ids, resumed: true, lost: { from: this.#textEnds.length + 2 } } });
    this.#isCut = true;
  }

  #add(event: LoggedEvent): void {
    const text = event.event === 'message' ? event.data.content : '';
    const textLength = this.#textLength + text.length;
    const id = this.#textEnds.push(textLength);
    this.#text += text;
    if (this.#isCut || (this.#state !== 'open' && !this.#isShowing)) return;
    const data = JSON.stringify(event.data);
    this.#logChars += data.length;
    const frame = { id, event: event.event, data, textLength };
    if (this.#isShowing) this.#options.store.showUnsaved(this.#options.run, [frame]);
    if (this.#state !== 'open') return;
    this.#buffered.push(frame);
    this.#chars += data.length;
    this.#pumping ??= this.#pump();
  }

  /** Stores the buffered frames and leaves the log open for the next writer. Resolves when stored or abandoned. Never rejects. */
  async pause(): Promise<void> {
    await this.flush();
    // Frames that could not be stored exist only in the readers' buffer, so it is not released.
    if (this.#state === 'open') this.#options.store.pause(this.#options.run);
  }

  /** Resolves when the buffered frames are stored or abandoned. Never rejects. */
  async flush(): Promise<void> {
    while (this.#pumping !== undefined) await this.#pumping;
  }

  /**
   * Stores the buffered frames and closes the log, in one step if possible. Resolves when stored or abandoned. Never rejects.
   * @param isAnswerStored the answer is stored: an abandoned log is then deleted, because it would never end
   */
  async end(isAnswerStored: boolean): Promise<void> {
    const { store, run, writerId, hasLog } = this.#options;
    this.#ending = { isAnswerStored };
    await this.flush();
    if (hasLog === false || this.#isEnded) return;
    const close = () => store.end(run, writerId, isAnswerStored);
    if (this.#state === 'open') {
      const revive = () => Promise.resolve('taken_over' as const);
      await close().catch((error: unknown) => this.#retry(error, { act: close, revive }));
    } else if (!this.#isBroken() || !isAnswerStored) {
      // Releases the readers' buffer.
      await close().catch(() => undefined);
    }
    if (this.#isBroken() && isAnswerStored) await store.forget([run]).catch(() => undefined);
  }

  #isBroken(): boolean {
    return this.#state === 'broken';
  }

  async #pump(): Promise<void> {
    // Batches the writes of one turn of the event loop.
    await Promise.resolve();
    while (this.#buffered.length > 0 && this.#state === 'open') {
      const frames = takeBatch(this.#buffered, appendChars, ({ data }) => data.length);
      try {
        await this.#store(frames);
        this.#isShowing = false;
      } catch (error) {
        await this.#retry(error, {
          act: () => this.#store(frames),
          revive: () => this.#restart(frames),
          onFailure: () => this.#show(frames),
        });
      }
      for (const { data } of frames) this.#chars -= data.length;
    }
    if (this.#isCut && this.#state === 'open') {
      this.#state = 'broken';
      this.#options.onBroken(new Error('the log of the run has reached its size limit'));
    }
    if (this.#state !== 'open') this.#buffered = [];
    this.#pumping = undefined;
  }

  #store(frames: readonly RunFrame[]): Promise<void> {
    const { store, run, writerId } = this.#options;
    // A restarted log still has its gap marker to append.
    const ending = this.#buffered.length === 0 ? this.#ending : undefined;
    if (ending === undefined) return store.append(run, writerId, frames);
    return store.end(run, writerId, ending.isAnswerStored, frames).then(() => {
      this.#isEnded = true;
    });
  }

  async #retry(failed: unknown, steps: Pick<RetryOptions, 'act' | 'revive' | 'onFailure'>): Promise<void> {
    const { retryMs, patienceMs, onTakenOver, onBroken } = this.#options;
    const result = await retryWrite(failed, { ...steps, retryMs, patienceMs });
    // Only the holder of the run may send frames that are not stored.
    if (result.kind !== 'broken') this.#isShowing = false;
    if (result.kind !== 'done') this.#state = result.kind;
    if (result.kind === 'taken_over') onTakenOver();
    if (result.kind === 'broken') onBroken(result.error);
  }

  /** Restarts a missing log from memory, with a gap marker for the single frames that it had. */
  async #restart(unstored: readonly RunFrame[]): Promise<'begun' | 'taken_over'> {
    const { store, run, writerId, isHeld } = this.#options;
    if (!(await isHeld())) return 'taken_over';
    const to = (unstored[0]?.id ?? 1) - 1;
    await store.begin(run, writerId, this.#replay(to));
    const data = { ...this.#ids, resumed: true, partialLength: this.#textLength, lost: { from: 1, to } };
    if (to > 0) this.write({ event: 'run', data });
    return 'begun';
  }

  #show(unstored: readonly RunFrame[]): void {
    if (this.#isShowing) return;
    const { store, run } = this.#options;
    store.showUnsaved(run, [...this.#replay((unstored[0]?.id ?? 1) - 1), ...unstored, ...this.#buffered]);
    this.#isShowing = true;
  }

  #replay(upTo: number) {
    const { run, now } = this.#options;
    return replayFrames(run, this.#text, this.#textEnds, upTo, now());
  }

  get #ids() {
    const { runId, sessionId, requestId } = this.#options.run;
    return { runId, sessionId, requestId };
  }

  get #textLength(): number {
    return this.#textEnds.at(-1) ?? 0;
  }
}

export interface RetryOptions {
  /** The step to retry. */
  readonly act: () => Promise<void>;
  /** Restarts a missing log; `taken_over` when another writer holds the run. */
  readonly revive: () => Promise<'begun' | 'taken_over'>;
  /** Called after each retried failure. */
  readonly onFailure?: () => void;
  /** Retry interval in ms. */
  readonly retryMs: number;
  /** Total retry time in ms. */
  readonly patienceMs: number;
}

/** Result of the retries: `broken` after `patienceMs`, with the last failure. */
export type RetryResult =
  | { readonly kind: 'done' | 'taken_over' }
  | { readonly kind: 'broken'; readonly error: unknown };

/** Retries a failed write until it succeeds, the run is taken over or `patienceMs` has passed. Never rejects. */
async function retryWrite(
  failed: unknown,
  { act, revive, onFailure, retryMs, patienceMs }: RetryOptions,
): Promise<RetryResult> {
  let error = failed;
  for (let waitedMs = 0; ; ) {
    const isMissing = error instanceof StaleWriterError && error.isMissing;
    // An unavailable repository is not a reason to abandon the run.
    const revived = isMissing ? await revive().catch(() => undefined) : undefined;
    if (revived === 'taken_over' || (error instanceof StaleWriterError && !isMissing)) return { kind: 'taken_over' };
    if (revived === undefined) {
      onFailure?.();
      if (waitedMs >= patienceMs) return { kind: 'broken', error };
      await sleep(retryMs);
      waitedMs += retryMs;
    }
    try {
      await act();
      return { kind: 'done' };
    } catch (nextError) {
      error = nextError;
    }
  }
}

/** Removes a batch from the front of the buffer: at least one item, at most `chars` characters and `most` items. */
export function takeBatch<One>(
  buffer: One[],
  chars: number,
  charsOf: (one: One) => number,
  most = Number.POSITIVE_INFINITY,
): One[] {
  let taken = 0;
  let count = 0;
  for (const one of buffer) {
    taken += charsOf(one);
    if (count > 0 && (taken > chars || count >= most)) break;
    count++;
  }
  return buffer.splice(0, count);
}

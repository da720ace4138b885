import { setTimeout as sleep } from 'node:timers/promises';
import { JoinedFrames, replayFrames, TextMarks } from './frames.js';
import {
  type JoinedFrame,
  type LoggedEvent,
  type RunFrame,
  type RunLogStore,
  RunLost,
  type RunStart,
} from './store.js';

/** Characters in the buffer above which the turn waits for the store. */
const waitingChars = 262_144;
/** Characters of one append. */
const appendChars = 131_072;

/** `retryMs` and `patienceMs`: retry interval and total time for a failing store before the log is abandoned. */
export interface RunWriterOptions extends Pick<RetryOptions, 'retryMs' | 'patienceMs'> {
  readonly store: Pick<RunLogStore, 'append' | 'begin' | 'end' | 'forget' | 'pause' | 'showUnsaved'>;
  readonly run: RunStart;
  readonly writerId: string;
  readonly now: () => Date;
  /** Frames already in the log, if known. */
  readonly begun?: readonly JoinedFrame[];
  /** Position of the log when another process wrote it before. */
  readonly from?: TextMarks;
  /** Text of the frames before that position. */
  readonly textBefore?: string;
  /** False for a run without a log: writes are ignored. Default true. */
  readonly hasLog?: boolean;
  /** Whether this writer still holds the run, even if its log is lost. Rejects when the repository is unavailable. */
  readonly isHeld: () => Promise<boolean>;
  /** Called once, when another process has taken over the run. */
  readonly onLost: () => void;
  /** Called once, when the log is abandoned. The turn continues without it. */
  readonly onBroken: (error: unknown) => void;
}

/**
 * Numbers the events of a run and stores each once, in order. Events written during an append are batched into the next one, so a fast
 * model needs few appends. Frames that cannot be stored are sent to readers in this process and retried. A lost log is started again
 * with its earlier text and a gap marker.
 */
export class RunWriter {
  readonly #options: RunWriterOptions;
  #waiting: RunFrame[] = [];
  #chars = 0;
  #pumping: Promise<void> | undefined;
  #state: 'open' | 'lost' | 'broken' = 'open';
  /** The store fails, so frames are sent directly to readers in this process. */
  #isShowing = false;
  #text: string;
  /** All frames of the log in joined form, if known. */
  #joined: JoinedFrames | undefined;

  /** Set when the log is to end with the buffered frames; and whether it has ended. */
  #ending: { readonly isKept: boolean } | undefined;
  #isEnded = false;
  /** Marks of all written frames, stored or not. */
  readonly marks: TextMarks;

  constructor(options: RunWriterOptions) {
    this.#options = options;
    const { begun = [], from } = options;
    this.marks = from ?? TextMarks.of(begun);
    if (from === undefined) this.#joined = new JoinedFrames();
    for (const frame of begun) this.#joined?.add(frame);
    this.#text = options.textBefore ?? '';
    if (options.hasLog === false) this.#state = 'broken';
  }

  /** Whether the buffer is full: the turn then waits for `room`. */
  get isFull(): boolean {
    return this.#chars > waitingChars && this.#pumping !== undefined;
  }

  /** Resolves when there is room again, or the log was abandoned. Never rejects. */
  async room(): Promise<void> {
    if (this.isFull) await this.#pumping;
  }

  write(event: LoggedEvent): void {
    const text = event.event === 'message' ? event.data.content : '';
    this.marks.add(text.length);
    this.#text += text;
    if (this.#state !== 'open' && !this.#isShowing) return;
    const data = JSON.stringify(event.data);
    const { lastId: id, total: textLength } = this.marks;
    const frame = { id, event: event.event, data, textLength };
    if (this.#isShowing) this.#options.store.showUnsaved(this.#options.run, [frame]);
    if (this.#state !== 'open') return;
    this.#joined?.add(frame, event.data);
    this.#waiting.push(frame);
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
   * @param isKept the answer is stored: an abandoned log is then deleted, because it would never end
   */
  async end(isKept: boolean): Promise<void> {
    const { store, run, writerId, hasLog } = this.#options;
    this.#ending = { isKept };
    await this.flush();
    if (hasLog === false || this.#isEnded) return;
    const close = () => store.end(run, writerId, isKept, [], this.#joined?.all());
    if (this.#state === 'open') {
      const revive = () => Promise.resolve('lost' as const);
      await close().catch((error: unknown) => this.#insist(error, { act: close, revive }));
    } else if (!this.#isBroken() || !isKept) {
      // Releases the readers' buffer.
      await close().catch(() => undefined);
    }
    if (this.#isBroken() && isKept) await store.forget([run]).catch(() => undefined);
  }

  #isBroken(): boolean {
    return this.#state === 'broken';
  }

  async #pump(): Promise<void> {
    // Batches the writes of one turn of the event loop.
    await Promise.resolve();
    while (this.#waiting.length > 0 && this.#state === 'open') {
      const frames = takeBatch(this.#waiting, appendChars, ({ data }) => data.length);
      try {
        await this.#keep(frames);
        this.#isShowing = false;
      } catch (error) {
        await this.#insist(error, {
          act: () => this.#keep(frames),
          revive: () => this.#beginAnew(frames),
          onFailure: () => this.#show(frames),
        });
      }
      for (const { data } of frames) this.#chars -= data.length;
    }
    if (this.#state !== 'open') this.#waiting = [];
    this.#pumping = undefined;
  }

  #keep(frames: readonly RunFrame[]): Promise<void> {
    const { store, run, writerId } = this.#options;
    // A restarted log still has its gap marker to append.
    const ending = this.#waiting.length === 0 ? this.#ending : undefined;
    if (ending === undefined) return store.append(run, writerId, frames);
    return store.end(run, writerId, ending.isKept, frames, this.#joined?.all()).then(() => {
      this.#isEnded = true;
    });
  }

  async #insist(failed: unknown, insistence: Pick<RetryOptions, 'act' | 'revive' | 'onFailure'>): Promise<void> {
    const { retryMs, patienceMs, onLost, onBroken } = this.#options;
    const insisted = await retryUntilLost(failed, { ...insistence, retryMs, patienceMs });
    if (insisted.kind === 'done') this.#isShowing = false;
    else this.#state = insisted.kind;
    if (insisted.kind === 'lost') onLost();
    if (insisted.kind === 'broken') onBroken(insisted.error);
  }

  /** Restarts a lost log from memory, with a gap marker for the single frames that it had. */
  async #beginAnew(unkept: readonly RunFrame[]): Promise<'begun' | 'lost'> {
    const { store, run, writerId, isHeld } = this.#options;
    if (!(await isHeld())) return 'lost';
    const to = (unkept[0]?.id ?? 1) - 1;
    await store.begin(run, writerId, this.#replay(to));
    this.#joined = undefined;
    const { runId, sessionId, requestId } = run;
    const lost = { from: 1, to };
    const data = { runId, sessionId, requestId, resumed: true, partialLength: this.marks.total, lost };
    if (to > 0) this.write({ event: 'run', data });
    return 'begun';
  }

  #show(unkept: readonly RunFrame[]): void {
    if (this.#isShowing) return;
    const { store, run } = this.#options;
    store.showUnsaved(run, [...this.#replay((unkept[0]?.id ?? 1) - 1), ...unkept, ...this.#waiting]);
    this.#isShowing = true;
  }

  #replay(upTo: number) {
    const { run, now } = this.#options;
    return replayFrames(run, this.#text, this.marks, upTo, now());
  }
}

export interface RetryOptions {
  /** The step to retry. */
  readonly act: () => Promise<void>;
  /** Restarts a missing log; `lost` when another writer holds the run. */
  readonly revive: () => Promise<'begun' | 'lost'>;
  /** Called after each retried failure. */
  readonly onFailure?: () => void;
  /** Retry interval in ms. */
  readonly retryMs: number;
  /** Total retry time in ms. */
  readonly patienceMs: number;
}

/** Result of the retries: `broken` after `patienceMs`, with the last failure. */
export type RetryResult = { readonly kind: 'done' | 'lost' } | { readonly kind: 'broken'; readonly error: unknown };

/** Retries a failed write until it succeeds, the run is lost or `patienceMs` has passed. Never rejects. */
async function retryUntilLost(
  failed: unknown,
  { act, revive, onFailure, retryMs, patienceMs }: RetryOptions,
): Promise<RetryResult> {
  let error = failed;
  for (let waitedMs = 0; ; ) {
    const isGone = error instanceof RunLost && error.isGone;
    // An unavailable repository is not a reason to abandon the run.
    const revived = isGone ? await revive().catch(() => undefined) : undefined;
    if (revived === 'lost' || (error instanceof RunLost && !isGone)) return { kind: 'lost' };
    if (revived === undefined) {
      onFailure?.();
      if (waitedMs >= patienceMs) return { kind: 'broken', error };
      await sleep(retryMs);
      waitedMs += retryMs;
    }
    try {
      await act();
      return { kind: 'done' };
    } catch (again) {
      error = again;
    }
  }
}

/** Removes a batch from the front of the buffer: at least one item, at most `chars` characters and `most` items. */
export function takeBatch<One>(
  waiting: One[],
  chars: number,
  charsOf: (one: One) => number,
  most = Number.POSITIVE_INFINITY,
): One[] {
  let taken = 0;
  let count = 0;
  for (const one of waiting) {
    taken += charsOf(one);
    if (count > 0 && (taken > chars || count >= most)) break;
    count++;
  }
  return waiting.splice(0, count);
}

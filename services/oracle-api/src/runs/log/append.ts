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

/** Characters that wait to be kept before the turn has to wait for them. */
const waitingChars = 262_144;
/** Characters of one append. */
const appendChars = 131_072;

/** `retryMs` and `patienceMs`: for a store that fails, before the rest of the log is given up. */
export interface RunWriterOptions extends Pick<RetryOptions, 'retryMs' | 'patienceMs'> {
  readonly store: Pick<RunLogStore, 'append' | 'begin' | 'end' | 'forget' | 'pause' | 'showUnsaved'>;
  readonly run: RunStart;
  readonly writerId: string;
  readonly now: () => Date;
  /** What the log has, where that is known. */
  readonly begun?: readonly JoinedFrame[];
  /** Where the log stands when another process wrote it before. */
  readonly from?: TextMarks;
  /** The text that its frames had brought until then. */
  readonly textBefore?: string;
  /** False for a run that has no log: what is written is passed over. Default true. */
  readonly hasLog?: boolean;
  /** Whether the run is still this writer's, whatever became of its log. Rejects when that cannot be known now. */
  readonly isHeld: () => Promise<boolean>;
  /** Called once: another process has taken the run over. */
  readonly onLost: () => void;
  /** Called once, when the log is given up. The turn goes on without it. */
  readonly onBroken: (error: unknown) => void;
}

/**
 * Numbers the events of a run and keeps them, in order and each once. What is written while an append is under way goes
 * with the next one, so a fast model costs few appends; what cannot be kept now is shown to readers in this process, and tried
 * again. A log that got lost is begun anew with the text that it had, and says so.
 */
export class RunWriter {
  readonly #options: RunWriterOptions;
  #waiting: RunFrame[] = [];
  #chars = 0;
  #pumping: Promise<void> | undefined;
  #state: 'open' | 'lost' | 'broken' = 'open';
  /** Readers in this process are shown what is written, since it cannot be kept. */
  #isShowing = false;
  #text: string;
  /** All frames of the log in fewer, where they are known. */
  #joined: JoinedFrames | undefined;

  /** How the log ends with what waits, once it is to; and whether it has ended. */
  #ending: { readonly isKept: boolean } | undefined;
  #isEnded = false;
  /** Of all that was written, kept or not. */
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

  /** Whether so much waits to be kept that whoever writes much has to wait. */
  get isFull(): boolean {
    return this.#chars > waitingChars && this.#pumping !== undefined;
  }

  /** Resolves when there is room again, or the log was given up. Never rejects. */
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

  /** Keeps what waits, and leaves the log open for a writer to come. Resolves when that is done or was given up. Never rejects. */
  async pause(): Promise<void> {
    await this.flush();
    // What could not be kept is nowhere but with those who were shown it.
    if (this.#state === 'open') this.#options.store.pause(this.#options.run);
  }

  /** Resolves when what waits is kept or was given up. Never rejects. */
  async flush(): Promise<void> {
    while (this.#pumping !== undefined) await this.#pumping;
  }

  /**
   * Keeps what waits and closes the log, in one step where that can be. Resolves when that is done or was given up. Never rejects.
   *
   * @param isKept the answer is kept elsewhere: a log that was given up is dropped then, since nobody will end it.
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
      // So that nothing is held for readers any more.
      await close().catch(() => undefined);
    }
    if (this.#isBroken() && isKept) await store.forget([run]).catch(() => undefined);
  }

  #isBroken(): boolean {
    return this.#state === 'broken';
  }

  async #pump(): Promise<void> {
    // So that what is written in one turn of the event loop goes together.
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
    // A log that was begun anew has something to say after these.
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

  /** The log as it is known here, and word of what is lost with the single frames that it had. */
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
  /** Tried again. */
  readonly act: () => Promise<void>;
  /** Brings back a log that is gone; `lost` where that is not this writer's to do. */
  readonly revive: () => Promise<'begun' | 'lost'>;
  /** Called after each failure that is waited out. */
  readonly onFailure?: () => void;
  /** Pause before it is tried again. */
  readonly retryMs: number;
  /** How long it is tried. */
  readonly patienceMs: number;
}

/** What became of it: `broken` where patience was at its end, with the last failure. */
export type RetryResult = { readonly kind: 'done' | 'lost' } | { readonly kind: 'broken'; readonly error: unknown };

/** Does what a writer could not do again until it is done, the run is lost or patience is at its end. Never rejects. */
async function retryUntilLost(
  failed: unknown,
  { act, revive, onFailure, retryMs, patienceMs }: RetryOptions,
): Promise<RetryResult> {
  let error = failed;
  for (let waitedMs = 0; ; ) {
    const isGone = error instanceof RunLost && error.isGone;
    // Who cannot find out whether the run is lost does not give it up.
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

/** Takes the first of what waits: as many as have so many characters together, but at least one, and at most `most`. */
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

import { joinAfterMs, joinFrames, restOf, textLengthIn } from './frames.js';
import { Notifier } from './notifier.js';
import { type JoinedFrame, type RunFrame, type RunKey, type RunLogPart, type RunLogStore, RunLost } from './store.js';

export interface MemoryRunLogLimits {
  /** Retention of the frames of an ended run, in ms. */
  readonly retentionMs: number;
  /** Retention of a run with a stored answer, in ms. Default: `retentionMs`. */
  readonly framesMs?: number;
  /** Time after the end before the texts of such a run are joined, in ms. */
  readonly joinAfterMs?: number;
  /** Characters of all frames together; above it, the runs that ended first are deleted. */
  readonly limitChars: number;
}

/** Run logs in the memory of one process. Retention never interrupts an active reader. */
export class MemoryRunLogStore implements RunLogStore {
  readonly #logs = new Map<string, RunLog>();
  /** Ended runs in the order of their ends: `kept` have a stored answer, `alone` do not. */
  readonly #ended = { kept: new Map<string, RunLog>(), alone: new Map<string, RunLog>() };
  /** Ended runs with unjoined texts. */
  readonly #unjoined = new Set<RunLog>();
  /** Characters of all logs. */
  #chars = 0;
  readonly #limits: MemoryRunLogLimits;
  readonly #nowMs: () => number;

  constructor(limits: MemoryRunLogLimits, nowMs: () => number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  async begin(run: RunKey, writerId: string, before: readonly JoinedFrame[] = []): Promise<void> {
    if (this.#logs.has(run.runId)) throw new Error('a run with this id exists');
    this.#evict();
    const log = new RunLog(run, writerId);
    log.append(before);
    this.#chars += log.chars;
    this.#logs.set(run.runId, log);
  }

  async takeOver(run: RunKey, writerId: string): Promise<boolean> {
    const log = this.#find(run);
    if (log === undefined || log.endedAtMs !== undefined) return false;
    log.writerId = writerId;
    return true;
  }

  async append(run: RunKey, writerId: string, frames: readonly RunFrame[]): Promise<void> {
    this.#add(this.#writable(run, writerId), frames);
  }

  async end(run: RunKey, writerId: string, isKept: boolean, last: readonly RunFrame[] = []): Promise<void> {
    const log = this.#writable(run, writerId);
    this.#add(log, last);
    (isKept ? this.#ended.kept : this.#ended.alone).set(run.runId, log);
    if (isKept) this.#unjoined.add(log);
    log.end(this.#nowMs());
    this.#joinEnded();
  }

  /** Every frame is stored in memory, so nothing is unsaved. */
  showUnsaved(_run: RunKey, _frames: readonly JoinedFrame[]): void {}

  pause(_run: RunKey): void {}

  async read(run: RunKey, after: number): Promise<RunLogPart | undefined> {
    return this.#find(run)?.read(after);
  }

  async textLengthAt(run: RunKey, id: number): Promise<number | undefined> {
    return this.#find(run)?.textLengthAt(id);
  }

  async *follow(run: RunKey, after: number, signal: AbortSignal): AsyncIterable<readonly RunFrame[]> {
    const log = this.#find(run);
    if (log === undefined) return;
    const wake = new Notifier(signal);
    log.addReader(wake);
    let next = after;
    try {
      while (!wake.isOver) {
        const { frames, isEnded } = log.read(next);
        next = frames.at(-1)?.id ?? next;
        if (frames.length > 0) yield frames;
        else if (isEnded || !this.#logs.has(run.runId)) return;
        else await wake.wait();
      }
    } finally {
      log.removeReader(wake);
      wake.close();
    }
  }

  async forget(runs: readonly RunKey[]): Promise<void> {
    for (const run of runs) {
      const log = this.#find(run);
      if (log !== undefined) this.#drop(log);
      log?.wake();
    }
  }

  #add(log: RunLog, frames: readonly RunFrame[]): void {
    this.#chars -= log.chars;
    log.append(frames);
    this.#chars += log.chars;
  }

  #find({ runId, ownerDid }: RunKey): RunLog | undefined {
    const log = this.#logs.get(runId);
    return log?.run.ownerDid === ownerDid ? log : undefined;
  }

  #writable(run: RunKey, writerId: string): RunLog {
    const log = this.#find(run);
    if (log === undefined) throw new RunLost('the run has no log', { isGone: true });
    if (log.endedAtMs !== undefined) throw new RunLost('the run has ended');
    if (log.writerId !== writerId) throw new RunLost('the run has another writer');
    return log;
  }

  #joinEnded(): void {
    const endedBeforeMs = this.#nowMs() - (this.#limits.joinAfterMs ?? joinAfterMs);
    for (const log of this.#unjoined) {
      if ((log.endedAtMs ?? 0) > endedBeforeMs) return;
      this.#unjoined.delete(log);
      this.#chars -= log.chars;
      log.join();
      this.#chars += log.chars;
    }
  }

  #evict(): void {
    this.#joinEnded();
    const { retentionMs, framesMs = retentionMs } = this.#limits;
    this.#evictOf(this.#ended.kept, framesMs);
    this.#evictOf(this.#ended.alone, retentionMs);
  }

  #evictOf(ended: ReadonlyMap<string, RunLog>, keptMs: number): void {
    const expiredMs = this.#nowMs() - keptMs;
    for (const log of ended.values()) {
      if ((log.endedAtMs ?? 0) > expiredMs && this.#chars <= this.#limits.limitChars) return;
      this.#drop(log);
    }
  }

  #drop(log: RunLog): void {
    const { runId } = log.run;
    this.#logs.delete(runId);
    this.#unjoined.delete(log);
    this.#ended.kept.delete(runId);
    this.#ended.alone.delete(runId);
    this.#chars -= log.chars;
  }
}

/** Approximate memory overhead of a frame, in characters. */
const frameOverheadChars = 64;

/** Characters of one read, beyond its first frame. */
export const partChars = 65_536;

/** The frames of one run, shared by all of its readers. */
export class RunLog {
  readonly run: RunKey;
  writerId: string;
  #frames: JoinedFrame[] = [];
  readonly #readers = new Set<Notifier>();
  #chars = 0;
  #endedAtMs: number | undefined;

  constructor(run: RunKey, writerId: string) {
    this.run = run;
    this.writerId = writerId;
  }

  /** Size of the log in characters. */
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

  /** Joins consecutive text of an ended run. */
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

  /** Index of the first frame with a higher id. Without joined frames it equals the number of earlier ones. */
  #placeAfter(after: number): number {
    if (this.#frames.at(-1)?.id === this.#frames.length) return Math.max(0, after);
    const place = this.#frames.findIndex(({ id }) => id > after);
    return place === -1 ? this.#frames.length : place;
  }

  /** Notifies the reader of every change from now on. */
  addReader(reader: Notifier): void {
    this.#readers.add(reader);
  }

  removeReader(reader: Notifier): void {
    this.#readers.delete(reader);
  }

  wake(): void {
    for (const reader of this.#readers) reader.notify();
  }
}

function charsOf({ data, lengths = [] }: JoinedFrame): number {
  return data.length + lengths.length + frameOverheadChars;
}

import { Notifier } from './notifier.js';
import { type RunFrame, type RunKey, type RunLogPart, type RunLogStore, StaleWriterError } from './store.js';

export interface MemoryRunLogLimits {
  /** Retention of the frames of an ended run, in ms. */
  readonly retentionMs: number;
  /** Retention of a run with a stored answer, in ms. Default: `retentionMs`. */
  readonly framesMs?: number;
  /** Characters of all frames together; above it, the runs that ended first are deleted. */
  readonly limitChars: number;
}

/** Run logs in the memory of one process. Retention never interrupts an active reader. */
export class MemoryRunLogStore implements RunLogStore {
  readonly #logs = new Map<string, RunLog>();
  /** Ended runs in the order of their ends: `answered` have a stored answer, `unanswered` do not. */
  readonly #ended = { answered: new Map<string, RunLog>(), unanswered: new Map<string, RunLog>() };
  /** Characters of all logs. */
  #chars = 0;
  readonly #limits: MemoryRunLogLimits;
  readonly #nowMs: () => number;

  constructor(limits: MemoryRunLogLimits, nowMs: () => number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  async begin(run: RunKey, writerId: string, frames: readonly RunFrame[] = []): Promise<void> {
    const known = this.#logs.get(run.runId);
    if (known !== undefined) this.#drop(this.#writable(run, writerId));
    this.#evict();
    const log = new RunLog(run, writerId);
    log.append(frames);
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

  async end(run: RunKey, writerId: string, isAnswerStored: boolean, last: readonly RunFrame[] = []): Promise<void> {
    const log = this.#writable(run, writerId);
    this.#add(log, last);
    (isAnswerStored ? this.#ended.answered : this.#ended.unanswered).set(run.runId, log);
    log.end(this.#nowMs());
  }

  /** Every frame is stored in memory, so nothing is unsaved. */
  showUnsaved(_run: RunKey, _frames: readonly RunFrame[]): void {}

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
    const notifier = new Notifier(signal);
    log.addReader(notifier);
    let next = after;
    try {
      while (!notifier.isOver) {
        const { frames, isEnded } = log.read(next);
        next = frames.at(-1)?.id ?? next;
        if (frames.length > 0) yield frames;
        else if (isEnded || !this.#logs.has(run.runId)) return;
        else await notifier.wait();
      }
    } finally {
      log.removeReader(notifier);
      notifier.close();
    }
  }

  async forget(runs: readonly RunKey[]): Promise<void> {
    for (const run of runs) {
      const log = this.#find(run);
      if (log !== undefined) this.#drop(log);
      log?.notifyReaders();
    }
  }

  #add(log: RunLog, frames: readonly RunFrame[]): void {
    if (log.lacksFramesBefore(frames)) throw new StaleWriterError('the run lacks frames', { isMissing: true });
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
    if (log === undefined) throw new StaleWriterError('the run has no log', { isMissing: true });
    if (log.endedAtMs !== undefined) throw new StaleWriterError('the run has ended');
    if (log.writerId !== writerId) throw new StaleWriterError('the run has another writer');
    return log;
  }

  #evict(): void {
    const { retentionMs, framesMs = retentionMs } = this.#limits;
    this.#evictOf(this.#ended.answered, framesMs);
    this.#evictOf(this.#ended.unanswered, retentionMs);
  }

  #evictOf(ended: ReadonlyMap<string, RunLog>, retentionMs: number): void {
    const expiredMs = this.#nowMs() - retentionMs;
    for (const log of ended.values()) {
      if ((log.endedAtMs ?? 0) > expiredMs && this.#chars <= this.#limits.limitChars) return;
      this.#drop(log);
    }
  }

  #drop(log: RunLog): void {
    const { runId } = log.run;
    this.#logs.delete(runId);
    this.#ended.answered.delete(runId);
    this.#ended.unanswered.delete(runId);
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
  readonly #frames: RunFrame[] = [];
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

  /** Whether frames are missing between the last one and these. */
  lacksFramesBefore(frames: readonly RunFrame[]): boolean {
    const last = this.#frames.at(-1)?.id ?? 0;
    const next = frames.find(({ id }) => id > last);
    return next !== undefined && next.id > last + 1;
  }

  append(frames: readonly RunFrame[]): void {
    for (const frame of frames) {
      if (frame.id <= (this.#frames.at(-1)?.id ?? 0)) continue;
      this.#frames.push(frame);
      this.#chars += charsOf(frame);
    }
    this.notifyReaders();
  }

  end(nowMs: number): void {
    this.#endedAtMs = nowMs;
    this.notifyReaders();
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
      frames: this.#frames.slice(start, end),
      isEnded: this.#endedAtMs !== undefined && end >= this.#frames.length,
    };
  }

  textLengthAt(id: number): number | undefined {
    const frame = this.#frames[this.#placeAfter(id - 1)];
    return frame?.id === id ? frame.textLength : undefined;
  }

  /** Index of the first frame with a higher id. Without gaps it equals the number of earlier ones. */
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

  notifyReaders(): void {
    for (const reader of this.#readers) reader.notify();
  }
}

function charsOf({ data }: RunFrame): number {
  return data.length + frameOverheadChars;
}

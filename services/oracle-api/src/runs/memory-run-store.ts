import type { RunEvent, RunStatus } from '@mlango/schemas/oracle-events';
import { RunLog } from './run-log.js';
import type { RunFrame, RunStart, RunStore } from './run-store.js';

export interface MemoryRunStoreLimits {
  /** How long the frames of an ended run are kept, in ms. */
  readonly retentionMs: number;
  /** Characters of all frames together; beyond it the runs that ended first are dropped. */
  readonly limitChars: number;
}

/** Runs of one process, gone with it. */
export class MemoryRunStore implements RunStore {
  readonly #logs = new Map<string, RunLog>();
  readonly #limits: MemoryRunStoreLimits;
  readonly #nowMs: () => number;

  constructor(limits: MemoryRunStoreLimits, nowMs: () => number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  async begin(run: RunStart): Promise<void> {
    if (this.#logs.has(run.runId)) throw new Error('a run with this id exists');
    this.#evict();
    this.#logs.set(run.runId, new RunLog(run));
  }

  async append(runId: string, event: RunEvent): Promise<void> {
    this.#writable(runId).append(event);
  }

  async end(runId: string, status: RunStatus): Promise<void> {
    const log = this.#writable(runId);
    // Moved to the end of the map, so that ended runs are met in the order in which they ended.
    this.#logs.delete(runId);
    this.#logs.set(runId, log);
    log.end(status, this.#nowMs());
  }

  async *follow(runId: string, after: number, signal: AbortSignal): AsyncIterable<readonly RunFrame[]> {
    const log = this.#logs.get(runId);
    if (log !== undefined) yield* log.follow(after, signal);
  }

  async forgetSession(ownerDid: string, sessionId: string): Promise<void> {
    for (const [runId, log] of this.#logs) {
      const isOfSession = log.run.ownerDid === ownerDid && log.run.sessionId === sessionId;
      if (isOfSession && log.endedAtMs !== undefined) this.#logs.delete(runId);
    }
  }

  #writable(runId: string): RunLog {
    const log = this.#logs.get(runId);
    if (log === undefined || log.endedAtMs !== undefined) throw new Error('the run has not begun or has ended');
    return log;
  }

  #evict(): void {
    const expiredMs = this.#nowMs() - this.#limits.retentionMs;
    let chars = 0;
    for (const log of this.#logs.values()) chars += log.chars;
    for (const [runId, log] of this.#logs) {
      if (log.endedAtMs === undefined) continue;
      if (log.endedAtMs > expiredMs && chars <= this.#limits.limitChars) return;
      this.#logs.delete(runId);
      chars -= log.chars;
    }
  }
}

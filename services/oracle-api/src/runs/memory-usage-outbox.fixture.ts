import type { MeteredTurn } from '../plugins/api/payment.js';
import { longestRetryMs, retryMs, type UsageOutbox } from './usage-outbox.js';

/** Usage outbox in memory, for tests. */
export class MemoryUntoldUsage implements UsageOutbox {
  readonly #kept = new Map<string, { turn: MeteredTurn; attempts: number; dueMs: number }>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  keep(turn: MeteredTurn): void {
    const key = `${turn.runId} ${turn.part}`;
    if (!this.#kept.has(key)) this.#kept.set(key, { turn, attempts: 0, dueMs: this.#nowMs() });
  }

  async take(limit: number): Promise<MeteredTurn[]> {
    const due = [...this.#kept.values()].filter(({ dueMs }) => dueMs <= this.#nowMs());
    return due.slice(0, limit).map((entry) => {
      entry.dueMs = this.#nowMs() + Math.min(retryMs * 2 ** entry.attempts++, longestRetryMs);
      return entry.turn;
    });
  }

  async has(runId: string, besides?: number): Promise<boolean> {
    return [...this.#kept.values()].some(({ turn }) => turn.runId === runId && turn.part !== besides);
  }

  async drop({ runId, part }: Pick<MeteredTurn, 'runId' | 'part'>): Promise<void> {
    this.#kept.delete(`${runId} ${part}`);
  }
}

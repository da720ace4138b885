import type { Turn } from '../agent/turn-state.js';
import { CoalescedTask } from './lease.js';
import type { Lease, RunRepository } from './run-repository.js';
import type { RunSignals } from './signals.js';

export interface RunQueueParts {
  readonly register: Pick<RunRepository, 'advance'>;
  readonly lease: Lease;
  readonly signals: Pick<RunSignals, 'follow'>;
  readonly log: { error(fields: object, text: string): void };
}

interface Waiting {
  readonly turn: Turn;
  /** Resolves when the turn may run, or was stopped. */
  readonly over: Promise<void>;
  readonly end: () => void;
}

/**
 * Turns of this process that wait for those asked for before them in their sessions. The register is asked when there is word that
 * one of those has ended, and by whoever looks from time to time since word may get lost: for all turns in one statement.
 */
export class RunQueue {
  readonly #parts: RunQueueParts;
  readonly #waiting = new Map<string, Waiting>();
  readonly #rounds = new CoalescedTask(() => this.#advance());

  constructor(parts: RunQueueParts) {
    this.#parts = parts;
  }

  /** Has a turn wait whose run waits. False when it need not, because none is before it. Never rejects. */
  async enter(turn: Turn): Promise<boolean> {
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#waiting.set(turn.run.runId, { turn, over, end });
    const leave = () => this.#leave(turn.run.runId);
    if (turn.signal.aborted) leave();
    else turn.signal.addEventListener('abort', leave, { once: true });
    await this.#rounds.request();
    if (!this.#waiting.has(turn.run.runId)) return false;
    void this.#follow(turn.run.sessionId, over);
    return true;
  }

  /** Resolves when a turn that has entered may run, or was stopped. */
  async untilReady(turn: Turn): Promise<void> {
    await this.#waiting.get(turn.run.runId)?.over;
  }

  /** A run of that session has ended. */
  onRunEnded(sessionId: string): void {
    for (const { turn } of this.#waiting.values()) {
      if (turn.run.sessionId !== sessionId) continue;
      void this.#rounds.request();
      return;
    }
  }

  /** Looks who may run now. Never rejects. */
  async advanceAll(): Promise<void> {
    if (this.#waiting.size > 0) await this.#rounds.request();
  }

  /** Has word of the ends in that session come here until then. */
  async #follow(sessionId: string, over: Promise<void>): Promise<void> {
    const unfollow = await this.#parts.signals.follow(sessionId);
    await over;
    unfollow();
  }

  #leave(runId: string): void {
    this.#waiting.get(runId)?.end();
    this.#waiting.delete(runId);
  }

  async #advance(): Promise<void> {
    const { register, lease, log } = this.#parts;
    try {
      for (const runId of await register.advance(lease.writerId)) this.#leave(runId);
    } catch (err) {
      log.error({ err }, 'waiting runs could not look for their places');
    }
  }
}

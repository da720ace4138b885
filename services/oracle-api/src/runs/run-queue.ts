import { CoalescedTask } from './lease.js';
import type { Lease, RunRepository } from './run-repository.js';
import type { RunSignals } from './signals.js';
import type { ActiveRun } from './stop.js';

export interface RunQueueParts {
  readonly runRepository: Pick<RunRepository, 'advance'>;
  readonly lease: Lease;
  readonly signals: Pick<RunSignals, 'follow'>;
  readonly log: { error(fields: object, text: string): void };
}

type QueuedRun = Pick<ActiveRun, 'run' | 'signal'>;

interface QueueEntry {
  readonly run: QueuedRun;
  /** Resolves when the turn may run or was stopped. */
  readonly over: Promise<void>;
  readonly end: () => void;
}

/**
 * Queued turns of this process. The queue advances when a run of the session ends and at each renewal, since signals may
 * not arrive: one statement for all turns.
 */
export class RunQueue {
  readonly #parts: RunQueueParts;
  readonly #queued = new Map<string, QueueEntry>();
  readonly #rounds = new CoalescedTask(() => this.#advance());

  constructor(parts: RunQueueParts) {
    this.#parts = parts;
  }

  /** Queues a turn. False when no run is before it. Never rejects. */
  async enter(queued: QueuedRun): Promise<boolean> {
    const { run, signal } = queued;
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#queued.set(run.runId, { run: queued, over, end });
    const leave = () => this.#leave(run.runId);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    await this.#rounds.request();
    if (!this.#queued.has(run.runId)) return false;
    void this.#follow(run.sessionId, over);
    return true;
  }

  /** Resolves when a queued turn may run or was stopped. */
  async untilReady({ run }: QueuedRun): Promise<void> {
    await this.#queued.get(run.runId)?.over;
  }

  /** A run of that session has ended. */
  onRunEnded(sessionId: string): void {
    for (const { run } of this.#queued.values()) {
      if (run.run.sessionId !== sessionId) continue;
      void this.#rounds.request();
      return;
    }
  }

  /** Starts the turns that may run now. Never rejects. */
  async advanceAll(): Promise<void> {
    if (this.#queued.size > 0) await this.#rounds.request();
  }

  /** Receives the end signals of the session until `over` resolves. */
  async #follow(sessionId: string, over: Promise<void>): Promise<void> {
    const unfollow = await this.#parts.signals.follow(sessionId);
    await over;
    unfollow();
  }

  #leave(runId: string): void {
    this.#queued.get(runId)?.end();
    this.#queued.delete(runId);
  }

  async #advance(): Promise<void> {
    const { runRepository, lease, log } = this.#parts;
    try {
      for (const runId of await runRepository.advance(lease.writerId)) this.#leave(runId);
    } catch (err) {
      log.error({ err }, 'run queue not advanced');
    }
  }
}

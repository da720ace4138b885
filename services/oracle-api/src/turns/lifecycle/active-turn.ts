import type { RunStart } from '../../runs/run-store.js';
import { type StopReason, stop } from './stop-reason.js';

/** A turn of this process that has not ended: how to stop it, how far it is, and when it is over. */
export class ActiveTurn {
  readonly run: RunStart;
  /** Resolves when the turn is over and everything of it is kept. */
  readonly released: Promise<void>;
  /** What the model has said so far. */
  text = '';
  /** False when the log of the run could not be begun: the turn then goes on without one. */
  hasLog = true;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #resolve: () => void = () => undefined;

  constructor(run: RunStart) {
    this.run = run;
    this.released = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From now on the turn has so much time. */
  limit(timeoutMs: number): void {
    this.#timer = setTimeout(() => this.stop('timeout'), timeoutMs);
  }

  stop(reason: StopReason): void {
    stop(this.#controller, reason);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#resolve();
  }
}

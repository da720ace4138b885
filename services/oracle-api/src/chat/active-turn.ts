import { type StopReason, stop } from './stop-reason.js';

/** The place of one running turn: how to stop it, and when it is over. */
export class ActiveTurn {
  readonly ownerDid: string;
  readonly requestId: string;
  /** Resolves when the turn is over and everything of it is kept. */
  readonly released: Promise<void>;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #resolve: () => void = () => undefined;

  constructor(turn: { ownerDid: string; requestId: string }, timeoutMs: number) {
    this.ownerDid = turn.ownerDid;
    this.requestId = turn.requestId;
    this.released = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#timer = setTimeout(() => this.stop('timeout'), timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(reason: StopReason): void {
    stop(this.#controller, reason);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#resolve();
  }
}

import type { CancelSignal } from '@mlango/grpc-channel';

/** Cancels once. An `AbortController` costs more than the rest of what the gateway does for a small call. */
export class Cancellation implements CancelSignal {
  #isCancelled = false;
  #listeners: (() => void)[] = [];

  get aborted(): boolean {
    return this.#isCancelled;
  }

  /** Each listener is called once at most. */
  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.#isCancelled) this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  abort(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Whether a fault is under way or was lately, and whether loads are to pause. */
export class Sky {
  #faults = 0;
  #lastFaultMs = Number.NEGATIVE_INFINITY;
  #isHeld = false;
  #isOver = false;
  #busy = 0;

  begin(): void {
    this.#faults += 1;
    this.#lastFaultMs = performance.now();
  }

  end(): void {
    this.#faults -= 1;
    this.#lastFaultMs = performance.now();
  }

  /** Whether there was no fault since a moment of `performance.now()`. */
  wasCalmSince(ms: number): boolean {
    return this.#faults === 0 && this.#lastFaultMs < ms;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Loads do one thing after the other, and begin none while they are held. */
  async doing(act: () => Promise<void>): Promise<void> {
    while (this.#isHeld) await sleep(50);
    if (this.#isOver) return;
    this.#busy += 1;
    try {
      await act();
    } finally {
      this.#busy -= 1;
    }
  }

  /** Runs something when all loads have ended what they were at. */
  async held<Result>(act: () => Promise<Result>): Promise<Result> {
    this.#isHeld = true;
    while (this.#busy > 0) await sleep(50);
    try {
      return await act();
    } finally {
      this.#isHeld = false;
    }
  }

  finish(): void {
    this.#isOver = true;
  }
}

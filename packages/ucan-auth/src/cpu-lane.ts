import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * One lane for CPU work in a process that also serves others: pieces of work go one after the other, and once they have had
 * `sliceMs` of one turn of the event loop, the next one waits for another turn, in which timers and sockets are served.
 */
export class CpuLane {
  readonly #sliceMs: number;
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;
  #sliceStart: number | undefined;

  constructor(sliceMs: number) {
    this.#sliceMs = sliceMs;
  }

  /** Runs one piece of work when its time has come. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** For use inside a piece of work: leaves the lane to others while waiting for something that needs no CPU. */
  async outside<T>(wait: () => Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await wait();
    } finally {
      await this.#enter();
    }
  }

  async #enter(): Promise<void> {
    // Whoever leaves hands the lane over: it stays taken.
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    while (this.#isSliceSpent()) await nextTurn();
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }

  #isSliceSpent(): boolean {
    if (this.#sliceStart !== undefined) return performance.now() - this.#sliceStart > this.#sliceMs;
    this.#sliceStart = performance.now();
    setImmediate(() => {
      this.#sliceStart = undefined;
    });
    return false;
  }
}

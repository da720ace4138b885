import { setImmediate as nextTurn } from 'node:timers/promises';

interface Waiting {
  readonly weight: number;
  readonly go: () => void;
}

/**
 * One lane for CPU work in a process that also serves others: pieces of work go one after the other, and once they have had
 * `sliceMs` of one turn of the event loop, the next one waits for another turn, in which timers and sockets are served.
 *
 * Of those who wait, the lightest goes next, and every other time the one that has waited longest: a crowd of heavy pieces
 * does not hold up a light one, and a crowd of light ones does not shut out a heavy one.
 */
export class CpuLane {
  readonly #sliceMs: number;
  readonly #waiting: Waiting[] = [];
  #longestWaitsNext = false;
  #isTaken = false;
  #sliceStart: number | undefined;

  constructor(sliceMs: number) {
    this.#sliceMs = sliceMs;
  }

  /** Runs one piece of work when its time has come. `weight`: what it is likely to take, beside others. */
  async run<T>(work: () => Promise<T>, weight = 0): Promise<T> {
    await this.#enter(weight);
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
      // What was begun is finished before anything else is.
      await this.#enter(0);
    }
  }

  async #enter(weight: number): Promise<void> {
    // Whoever leaves hands the lane over: it stays taken.
    if (this.#isTaken) await new Promise<void>((go) => this.#waiting.push({ weight, go }));
    this.#isTaken = true;
    while (this.#isSliceSpent()) await nextTurn();
  }

  #leave(): void {
    const [next] = this.#waiting.splice(this.#longestWaitsNext ? 0 : this.#lightest(), 1);
    this.#longestWaitsNext = !this.#longestWaitsNext;
    if (next === undefined) this.#isTaken = false;
    else next.go();
  }

  #lightest(): number {
    let lightest = 0;
    for (let index = 1; index < this.#waiting.length; index++) {
      if ((this.#waiting[index]?.weight ?? 0) < (this.#waiting[lightest]?.weight ?? 0)) lightest = index;
    }
    return lightest;
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

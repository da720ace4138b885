import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refused } from './refusal.js';

export interface CpuLaneOptions {
  /** What the pieces of one turn of the event loop may take together, but for the last one. */
  readonly sliceMs: number;
  /** How many there may be in one turn: what callers do with a result is no work of the lane, but takes its time too. */
  readonly slicePieces: number;
  /** Pieces that may wait to begin. */
  readonly waitingLimit: number;
}

interface Waiting {
  readonly weight: number;
  readonly go: () => void;
  /** Undefined for what was begun: that is finished. */
  readonly turnAway: (() => void) | undefined;
}

/**
 * One lane for CPU work in a process that also serves others: pieces of work go one after the other, and once they have had
 * their slice of one turn of the event loop, the next one waits for another turn, in which timers and sockets are served.
 *
 * Of those who wait, the lightest goes next, and every other time the one that has waited longest: a crowd of heavy pieces
 * does not hold up a light one, and a crowd of light ones does not shut out a heavy one. When too many wait, the heaviest
 * is turned away, of equals the one that came last.
 */
export class CpuLane {
  readonly #options: CpuLaneOptions;
  readonly #waiting: Waiting[] = [];
  #longestWaitsNext = false;
  #isTaken = false;
  #slice: { readonly startMs: number; pieces: number } | undefined;

  constructor(options: CpuLaneOptions) {
    this.#options = options;
  }

  /**
   * Runs one piece of work when its time has come. `weight`: what it is likely to take, beside others.
   * @throws Refused `unavailable` when it was turned away.
   */
  async run<T>(work: () => Promise<T> | T, weight = 0): Promise<T> {
    await this.#enter(weight, true);
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
      await this.#enter(0, false);
    }
  }

  async #enter(weight: number, isNew: boolean): Promise<void> {
    // Whoever leaves hands the lane over: it stays taken.
    if (this.#isTaken) {
      await new Promise<void>((go, reject) => {
        const turnAway = isNew ? () => reject(new Refused('unavailable')) : undefined;
        this.#waiting.push({ weight, go, turnAway });
        if (isNew && this.#waiting.length > this.#options.waitingLimit) this.#turnHeaviestAway();
      });
    }
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

  #turnHeaviestAway(): void {
    let heaviest = this.#waiting.length - 1;
    for (const [index, { weight, turnAway }] of this.#waiting.entries()) {
      if (turnAway !== undefined && weight > (this.#waiting[heaviest]?.weight ?? 0)) heaviest = index;
    }
    for (const { turnAway } of this.#waiting.splice(heaviest, 1)) turnAway?.();
  }

  #isSliceSpent(): boolean {
    const { sliceMs, slicePieces } = this.#options;
    if (this.#slice === undefined) {
      this.#slice = { startMs: performance.now(), pieces: 1 };
      setImmediate(() => {
        this.#slice = undefined;
      });
      return false;
    }
    this.#slice.pieces += 1;
    return this.#slice.pieces > slicePieces || performance.now() - this.#slice.startMs > sliceMs;
  }
}

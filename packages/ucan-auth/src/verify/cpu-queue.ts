import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { Refused } from '../decode/refusal.js';

export interface CpuQueueOptions {
  /** CPU time of the tasks in one turn of the event loop, in milliseconds; the last task may exceed it. */
  readonly sliceMs: number;
  /** Tasks in one turn of the event loop. Callers' work on the results is not measured, so a number bounds it. */
  readonly sliceTasks: number;
  /** Tasks that may wait to start. */
  readonly waitingLimit: number;
}

interface Waiter {
  readonly weight: number;
  readonly start: () => void;
  /** Undefined for a task that was started before: it is always resumed. */
  readonly reject: (() => void) | undefined;
}

/**
 * Runs CPU work of a process that also serves other requests: one task at a time, and in slices. After a slice the next task waits for
 * another turn of the event loop, in which timers and sockets are served.
 *
 * The lightest and the oldest waiting task start alternately, so that many heavy tasks do not delay a light one and many light
 * tasks do not starve a heavy one. If too many tasks wait, the heaviest is rejected, the newest of equals.
 */
export class CpuQueue {
  readonly #options: CpuQueueOptions;
  readonly #waiting: Waiter[] = [];
  #isOldestNext = false;
  #isBusy = false;
  #slice: { readonly startMs: number; tasks: number } | undefined;

  constructor(options: CpuQueueOptions) {
    this.#options = options;
  }

  /**
   * Runs one task in its turn.
   * @param weight expected work relative to other tasks
   * @throws {Refused} `unavailable` if the task was rejected
   */
  async run<T>(work: () => Promise<T> | T, weight = 0): Promise<T> {
    await this.#enter(weight, true);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Releases the queue while a running task waits for something that needs no CPU. */
  async releaseWhile<T>(wait: () => Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await wait();
    } finally {
      // Weight 0: a started task counts as lighter than any new task.
      await this.#enter(0, false);
    }
  }

  async #enter(weight: number, isNew: boolean): Promise<void> {
    // `#leave` starts the next waiter without clearing `#isBusy`.
    if (this.#isBusy) {
      await new Promise<void>((start, fail) => {
        const reject = isNew ? () => fail(new Refused('unavailable')) : undefined;
        this.#waiting.push({ weight, start, reject });
        if (isNew && this.#waiting.length > this.#options.waitingLimit) this.#rejectHeaviest();
      });
    }
    this.#isBusy = true;
    while (this.#isSliceSpent()) await nextEventLoopTurn();
  }

  #leave(): void {
    const [next] = this.#waiting.splice(this.#isOldestNext ? 0 : this.#lightest(), 1);
    this.#isOldestNext = !this.#isOldestNext;
    if (next === undefined) this.#isBusy = false;
    else next.start();
  }

  #lightest(): number {
    let lightest = 0;
    for (let index = 1; index < this.#waiting.length; index++) {
      if ((this.#waiting[index]?.weight ?? 0) < (this.#waiting[lightest]?.weight ?? 0)) lightest = index;
    }
    return lightest;
  }

  #rejectHeaviest(): void {
    let heaviest = this.#waiting.length - 1;
    for (const [index, { weight, reject }] of this.#waiting.entries()) {
      if (reject !== undefined && weight > (this.#waiting[heaviest]?.weight ?? 0)) heaviest = index;
    }
    for (const { reject } of this.#waiting.splice(heaviest, 1)) reject?.();
  }

  #isSliceSpent(): boolean {
    const { sliceMs, sliceTasks } = this.#options;
    if (this.#slice === undefined) {
      this.#slice = { startMs: performance.now(), tasks: 1 };
      setImmediate(() => {
        this.#slice = undefined;
      });
      return false;
    }
    this.#slice.tasks += 1;
    return this.#slice.tasks > sliceTasks || performance.now() - this.#slice.startMs > sliceMs;
  }
}

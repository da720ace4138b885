import { expect } from 'vitest';
import type { Replica } from './replica.fixture.js';

/** Work that continues until its target is reached and no disturbance is under way. */
export class Work {
  readonly #target: number;
  readonly #waiting: { readonly from: number; readonly go: () => void }[] = [];
  #done = 0;
  #held = 0;
  #failed = false;

  constructor(target: number) {
    this.#target = target;
  }

  get done(): number {
    return this.#done;
  }

  /** Whether there is more to do. */
  get goesOn(): boolean {
    return !this.#failed && (this.#done < this.#target || this.#held > 0);
  }

  add(count: number): void {
    this.#done += count;
    for (const { from, go } of this.#waiting) if (this.#done >= from) go();
  }

  /** Ends the work of all when that of one failed. */
  async doing<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.#failed = true;
      for (const { go } of this.#waiting) go();
      throw error;
    }
  }

  /** Resolves once a share of the target is done. */
  reached(share: number): Promise<void> {
    const from = this.#target * share;
    return new Promise((resolve) => {
      if (this.#failed || this.#done >= from) resolve();
      else this.#waiting.push({ from, go: resolve });
    });
  }

  /** The work continues at least until this has ended. */
  async during(change: () => Promise<void>): Promise<void> {
    this.#held += 1;
    await this.doing(change).finally(() => (this.#held -= 1));
  }
}

/** While work is under way: the first replica is killed and restarted, and the second one is restarted in order. */
export function killOneThenRestartTheOther([first, second]: readonly [Replica, Replica], work: Work): Promise<void> {
  return work.during(async () => {
    await work.reached(0.2);
    await first.kill();
    await work.reached(0.4);
    await first.start();
    await work.reached(0.6);
    expect(await second.stop()).toBe(0);
    await second.start();
  });
}

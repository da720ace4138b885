import type { RealtimeLimits } from './limits.js';

/** A place for one socket. Given back once, however often it is released. */
export interface Seat {
  release(): void;
}

/** How many sockets there may be at this process: in all, and of one user. */
export class Seats {
  readonly #limits: RealtimeLimits['seats'];
  readonly #byUser = new Map<string, number>();
  #taken = 0;

  constructor(limits: RealtimeLimits['seats']) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Undefined when there is none left for this user. */
  take(did: string): Seat | undefined {
    const ofUser = this.#byUser.get(did) ?? 0;
    if (this.#taken >= this.#limits.total || ofUser >= this.#limits.perUser) return undefined;
    this.#taken += 1;
    this.#byUser.set(did, ofUser + 1);
    let isReleased = false;
    return {
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.#giveBack(did);
      },
    };
  }

  #giveBack(did: string): void {
    this.#taken -= 1;
    const left = (this.#byUser.get(did) ?? 1) - 1;
    if (left === 0) this.#byUser.delete(did);
    else this.#byUser.set(did, left);
  }
}

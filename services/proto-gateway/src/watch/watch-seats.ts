export interface SeatLimits {
  /** Watches of one key or address. */
  readonly perClient: number;
  /** Watches of everybody. */
  readonly total: number;
}

/** Watches that may be open at the same time, by whoever has them. */
export class WatchSeats {
  readonly limits: SeatLimits;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(limits: SeatLimits) {
    this.limits = limits;
  }

  get taken(): number {
    return this.#total;
  }

  /** What gives the seat back, once; or which of the limits is reached. */
  take(client: string): (() => void) | 'client' | 'total' {
    const before = this.#taken.get(client) ?? 0;
    if (before >= this.limits.perClient) return 'client';
    if (this.#total >= this.limits.total) return 'total';
    this.#taken.set(client, before + 1);
    this.#total += 1;
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.#total -= 1;
      const left = (this.#taken.get(client) ?? 1) - 1;
      if (left === 0) this.#taken.delete(client);
      else this.#taken.set(client, left);
    };
  }
}

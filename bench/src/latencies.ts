/** How long things of one kind took. */
export class Latencies {
  readonly #ms: number[] = [];

  add(ms: number): void {
    this.#ms.push(ms);
  }

  get count(): number {
    return this.#ms.length;
  }

  /** The time within which this share of them was done, in ms. */
  within(share: number): number {
    const sorted = Float64Array.from(this.#ms).sort();
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }

  /** How many were done within that time. */
  countWithin(limitMs: number): number {
    return this.#ms.filter((ms) => ms <= limitMs).length;
  }
}

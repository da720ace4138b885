/** What loads did, were refused and found wrong. */
export class Tally {
  readonly done = new Map<string, number>();
  /** By who asked and what was answered. */
  readonly refusals = new Map<string, number>();
  /** By the invariant that does not hold. */
  readonly violations = new Map<string, string[]>();
  readonly #say: (line: string) => void;
  #outage = { ms: 0, what: 'nothing' };

  /** @param say for whoever reads along: each violation as it is seen */
  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  count(what: string): void {
    this.done.set(what, (this.done.get(what) ?? 0) + 1);
  }

  refuse(who: string, answer: string): void {
    const what = `${who}: ${answer}`;
    this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
  }

  /** A caller had to ask for so long until they were served. */
  waited(what: string, ms: number): void {
    if (ms > this.#outage.ms) this.#outage = { ms, what };
  }

  get longestOutage(): { readonly ms: number; readonly what: string } {
    return this.#outage;
  }

  violate(invariant: string, detail: string): void {
    const known = this.violations.get(invariant) ?? [];
    this.violations.set(invariant, [...known, detail]);
    this.#say(`!! ${invariant}: ${detail}`);
  }
}

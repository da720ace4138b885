import { failedField, fieldOf, hourMs, hourOf, type Part, slotMs, uncountedField } from './counts.js';
import { bucketOf } from './log-buckets.js';
import type { LookedAt, WatchedHop } from './watched-hop.js';

/** Fields of all hours together; a few hundred screens stay far below. */
const defaultMaxFields = 20_000;

/** What was counted of a field, and of those that begin with the same parts, by their next one. */
interface Branch {
  /** Undefined where no field ends here. */
  amount: number | undefined;
  readonly further: Map<Part, Branch>;
}

/**
 * Adds hops up in memory until somebody takes the sums away. Bounded: past the most fields, new ones are given up and
 * their number is counted instead. Counting is a handful of map look-ups; names of fields are written when they are taken.
 */
export class HopTally {
  #hours = new Map<number, Branch>();
  #fields = 0;
  readonly #maxFields: number;

  constructor(options: { maxFields?: number } = {}) {
    this.#maxFields = options.maxFields ?? defaultMaxFields;
  }

  /** Counts one hop that was answered at `atMs` (since 1970). */
  count(hop: WatchedHop, atMs: number): void {
    const { flow, screen, left, shown } = hop;
    const hour = hourOf(atMs);
    this.#add(hour, [flow, screen, 'outcome', hop.outcome], 1);
    this.#add(hour, [flow, screen, 'answer', bucketOf(hop.answerMs)], 1);
    if (shown !== undefined && !hop.ended) {
      if (hop.isVisit) this.#add(hour, [flow, shown.screen, 'visit', shown.flow.version], 1);
      this.#addOpen(shown, atMs, 1);
    }
    if (left?.sinceMs === undefined || shown === undefined) return;
    const { id, version } = left.flow;
    this.#add(hour, [id, left.screen, 'way', bucketOf(atMs - left.sinceMs), shown.screen, version], 1);
    // Where the screen was shown it is now answered: in the hour and slot of then.
    this.#addOpen(left, left.sinceMs, -1);
  }

  /** Counts a hop that got no screen. */
  countFailure(atMs: number): void {
    this.#add(hourOf(atMs), [failedField], 1);
  }

  /** Counts what was given up elsewhere, in number of counts. */
  countLoss(amount: number, atMs: number): void {
    this.#add(hourOf(atMs), [uncountedField], amount);
  }

  /** The sums since the last call, which then begin anew. */
  take(): ReadonlyMap<number, ReadonlyMap<string, number>> {
    const taken = new Map([...this.#hours].map(([hour, branch]) => [hour, new Map(fieldsOf(branch, []))]));
    this.#hours = new Map();
    this.#fields = 0;
    return taken;
  }

  #addOpen({ flow, screen, from }: LookedAt, atMs: number, amount: number): void {
    this.#add(hourOf(atMs), [flow.id, screen, 'open', slotOf(atMs), from, flow.version], amount);
  }

  #add(hour: number, field: readonly Part[], amount: number): void {
    const found = this.#find(hour, field);
    if (found?.amount !== undefined) {
      found.amount += amount;
      return;
    }
    if (this.#fields >= this.#maxFields && field[0] !== uncountedField) {
      this.#add(hour, [uncountedField], 1);
      return;
    }
    this.#fields += 1;
    this.#grow(hour, field).amount = amount;
  }

  #find(hour: number, field: readonly Part[]): Branch | undefined {
    let branch = this.#hours.get(hour);
    for (let at = 0; branch !== undefined && at < field.length; at++) branch = branch.further.get(field[at] ?? '');
    return branch;
  }

  #grow(hour: number, field: readonly Part[]): Branch {
    let branch = branchOf(this.#hours, hour);
    for (const part of field) branch = branchOf(branch.further, part);
    return branch;
  }
}

function branchOf<Key>(branches: Map<Key, Branch>, key: Key): Branch {
  const known = branches.get(key);
  if (known !== undefined) return known;
  const branch: Branch = { amount: undefined, further: new Map() };
  branches.set(key, branch);
  return branch;
}

function* fieldsOf({ amount, further }: Branch, parts: readonly Part[]): Generator<[field: string, amount: number]> {
  if (amount !== undefined) yield [fieldOf(parts), amount];
  for (const [part, branch] of further) yield* fieldsOf(branch, [...parts, part]);
}

function slotOf(atMs: number): number {
  return Math.floor((atMs % hourMs) / slotMs);
}

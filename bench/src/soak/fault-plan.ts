import { type FaultKind, faultKinds } from './fault-kinds.js';
import { Luck } from './luck.js';

export interface Fault {
  /** From the beginning of the soak. */
  readonly atMs: number;
  readonly kind: FaultKind;
  readonly target: string;
  readonly forMs: number;
  /** Of a `clockStep`: by how much the clock goes wrong. */
  readonly byMs?: number;
}

/** Shares of the whole that are kept free of faults: before the first checkpoint, around the second, and at the end. */
const windows = [
  [0.11, 0.48],
  [0.53, 0.85],
] as const;
/** Clocks that are wrong by more than a minute cut users off, as the documentation says; so none is. */
const steps = [-50_000, -20_000, 20_000, 50_000];

/**
 * What goes wrong, and when: the same for the same seed, minutes and kinds. Each kind comes once before any comes again, and no two
 * faults touch each other.
 *
 * @param kinds those that this machine can do
 */
export function planOf(
  seed: number,
  minutes: number,
  kinds: readonly FaultKind[] = Object.keys(faultKinds) as FaultKind[],
): readonly Fault[] {
  const luck = new Luck(seed);
  const wholeMs = minutes * 60_000;
  const calmMs = Math.min(10_000, wholeMs / 25);
  // A soak of half a minute has faults of a second or two.
  const scale = Math.min(1, minutes / 5);
  const plan: Fault[] = [];
  let deck: FaultKind[] = [];
  for (const [from, to] of windows) {
    let atMs = Math.round(wholeMs * from);
    for (;;) {
      if (deck.length === 0) deck = luck.shuffled(kinds);
      const kind = deck[0];
      if (kind === undefined) return plan;
      const { targets, seconds } = faultKinds[kind];
      const forMs = Math.round(luck.between(seconds[0] * 1000, seconds[1] * 1000) * scale);
      const target = luck.pick<string>(targets);
      if (atMs + forMs > wholeMs * to) break;
      deck.shift();
      plan.push({ atMs, kind, target, forMs, ...(kind === 'clockStep' && { byMs: luck.pick(steps) }) });
      atMs += forMs + Math.round(calmMs * (1 + luck.next() / 2));
    }
  }
  return plan;
}

/** One line for a person, and enough to find it again. */
export function faultLine({ atMs, kind, target, forMs, byMs }: Fault): string {
  const step = byMs === undefined ? '' : ` by ${byMs / 1000} s`;
  return `${(atMs / 1000).toFixed(1).padStart(7)} s  ${kind} ${target}${step} for ${(forMs / 1000).toFixed(1)} s`;
}

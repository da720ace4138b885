/** Length of the smaller text, and the factor of the larger one. */
const SMALL = 2000;
const FACTOR = 16;
/** Work that grows with the square would be 256 times as much, linear work is 16 times as much. */
const MOST = 64;
/** Shorter times are not meaningful. */
const FLOOR_MS = 0.05;
const ROUNDS = 40;

/**
 * How many times the work of `run` an input of 32,000 characters is that of one of 2,000; `undefined` when that is nowhere
 * near the square. Other load on the machine only adds to a time, so the shortest of many rounds are compared, and
 * one good round is enough.
 */
export function growthOf<T>(make: (length: number) => T, run: (input: T) => void): number | undefined {
  const small = make(SMALL);
  const large = make(SMALL * FACTOR);
  let [smallMs, largeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round += 1) {
    largeMs = Math.min(largeMs, timeOf(run, large));
    if (largeMs <= FLOOR_MS * MOST) return undefined;
    smallMs = Math.min(smallMs, timeOf(run, small));
    if (largeMs <= Math.max(smallMs, FLOOR_MS) * MOST) return undefined;
  }
  return largeMs / smallMs;
}

/** Every pattern of one or two of the atoms. Repeated, a pair is the same text in either order. */
export function patternsOf(atoms: readonly string[]): readonly string[] {
  return [...atoms, ...atoms.flatMap((first, at) => atoms.slice(at + 1).map((second) => first + second))];
}

/** A repeated pattern, up to a length. */
export function repeated(pattern: string, length: number): string {
  return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
}

/**
 * In ms: the smaller of wall time and CPU time of the process. Wall time includes other processes, CPU time includes
 * threads of the engine; both are at least the work.
 */
function timeOf<T>(run: (input: T) => void, input: T): number {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  run(input);
  const { user, system } = process.cpuUsage(before);
  return Math.min(performance.now() - startedAt, (user + system) / 1000);
}

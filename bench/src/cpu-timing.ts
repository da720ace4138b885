/** Something to measure: does its work `count` times over, one after another. */
export interface CpuSubject {
  readonly count: number;
  run(): Promise<void>;
}

const ROUNDS = 15;

/**
 * CPU microseconds of one piece of work of each subject. The subjects take turns, round by round, so that a busy machine
 * troubles all alike; the best round counts, because noise only ever adds.
 */
export async function measureCpu<Name extends string>(
  subjects: Readonly<Record<Name, CpuSubject>>,
): Promise<Readonly<Record<Name, number>>> {
  const best = Object.fromEntries(Object.keys(subjects).map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, subject] of Object.entries<CpuSubject>(subjects)) {
      const before = process.cpuUsage();
      await subject.run();
      const { user, system } = process.cpuUsage(before);
      // The first round warms up.
      if (round > 0) best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, (user + system) / subject.count);
    }
  }
  return best as Record<Name, number>;
}

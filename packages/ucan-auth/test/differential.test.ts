import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { agreementOn } from './fuzz/agreement.js';
import { fuzzCase, MUTATIONS } from './fuzz/fuzz-case.js';
import { type StoredCase, storeCases, storedCases } from './fuzz/stored-seeds.js';

// Each seed is one case; a run uses consecutive seeds: `UCAN_FUZZ_SEED=<first> UCAN_FUZZ_RUNS=<number>`.
const RUNS = Number(process.env['UCAN_FUZZ_RUNS'] ?? 800);
const FIRST = Number(process.env['UCAN_FUZZ_SEED'] ?? randomInt(2 ** 32));
/** Reported cases: one defect breaks many. */
const ENOUGH = 3;
/** With fewer runs the share of accepted tokens is not significant. */
const ENOUGH_TO_COUNT = 400;
/** With fewer runs not every mutation occurs. */
const ENOUGH_FOR_ALL = 4000;
const MOST_MS_PER_RUN = 50;

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

describe('compared with ucanto', () => {
  it.each(storedCases())('the failure of seed $seed does not recur', async (stored) => {
    expect((await agreementOn(stored)).wrong).toBeUndefined();
  });

  it(
    'accepts nothing that ucanto refuses or that is unsigned, refuses nothing valid, at bounded cost',
    async () => {
      const wrong: StoredCase[] = [];
      const seen = new Set<string>();
      let accepted = 0;
      for (let run = 0; run < RUNS && wrong.length < ENOUGH; run++) {
        const seed = (FIRST + run) % 2 ** 32;
        const one = await fuzzCase(seed);
        const agreement = await agreementOn(one);
        if (agreement.wrong !== undefined) wrong.push({ ...one, seed, found: agreement.wrong });
        if (agreement.validation?.ok === true) accepted += 1;
        for (const name of [...one.changes, ...agreement.differences]) seen.add(name);
      }
      if (wrong.length > 0) storeCases(wrong);
      expect(wrong, 'stored in test/fuzz-seeds.json').toEqual([]);
      // A run proves nothing if no token reaches ucanto or a mutation never occurs.
      if (RUNS >= ENOUGH_TO_COUNT) expect(accepted).toBeGreaterThan(RUNS / 5);
      if (RUNS < ENOUGH_FOR_ALL) return;
      expect([...seen].sort()).toEqual([...MUTATIONS, 'begins now', 'caveats by content'].sort());
    },
    20_000 + RUNS * MOST_MS_PER_RUN,
  );
});

import { Random } from '@mlango/test-services/random';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { checkFlow } from '../../src/engine/check/check-flow.fixture.js';
import { emptyDatabase } from '../support/embedded-database.js';
import { untilOver } from './caller.js';
import { payFlow } from './pay-flow.js';
import { PayWorld } from './pay-world.js';
import { Payer } from './payer.js';

const isLong = process.env['MODEL_SCHEDULES'] !== undefined;
/** By default the same schedules each time. A run is reproducible with the seed named by its failure, and MODEL_SCHEDULES=1. */
const firstSeed = Number(process.env['MODEL_SEED'] ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 1));
const schedules = Number(process.env['MODEL_SCHEDULES'] ?? 30);
/** Seeds that once found a fault; they are part of every default run. */
const foundSeeds = [9, 100055, 100305, 200039, 300089, 400760, 500705];
const seeds = [
  ...(process.env['MODEL_SEED'] === undefined && !isLong ? foundSeeds : []),
  ...Array.from({ length: schedules }, (_, index) => firstSeed + index),
];

beforeEach(async () => {
  await emptyDatabase();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

it('the flow that pays is sound', () => expect(checkFlow(payFlow, {})).toEqual([]));

it(
  `pays once, and shows it, in ${schedules} schedules of losses, crashes, retries and redials`,
  async () => {
    const outcomes = { paid: 0, refused: 0 };
    for (const seed of seeds) {
      const random = new Random(seed);
      const world = new PayWorld(await emptyDatabase(), random);
      const payer = new Payer(world, random);
      try {
        const outcome = await untilOver(payer.pay());
        outcomes[outcome.kind] += 1;
        await vi.advanceTimersByTimeAsync(60_000);
        expect(world.begunAtMs).toHaveLength(1);
        expect([...world.bank.payments.values()]).toEqual(outcome.kind === 'paid' ? [outcome.reference] : []);
      } catch (error) {
        throw new Error(`MODEL_SEED=${seed}: ${String(error)}\n${payer.history.join('\n')}`, { cause: error });
      } finally {
        world.close();
        vi.clearAllTimers();
      }
    }
    expect(outcomes.paid).toBeGreaterThan(schedules / 2);
  },
  60_000 + schedules * 600,
);

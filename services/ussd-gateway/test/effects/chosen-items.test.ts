import { Random } from '@mlango/test-services/random';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { checkFlow } from '../../src/engine/check/check-flow.fixture.js';
import { emptyDatabase } from '../support/embedded-database.js';
import { billFlow, otherBillsEachTime } from './bill-flow.js';
import { BillPayer } from './bill-payer.js';
import { untilOver } from './caller.js';
import { PayWorld } from './pay-world.js';

const isLong = process.env['MODEL_SCHEDULES'] !== undefined;
/** By default the same schedules each time. A run is reproducible with the seed named by its failure, and MODEL_SCHEDULES=1. */
const firstSeed = Number(process.env['MODEL_SEED'] ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 1));
const schedules = Number(process.env['MODEL_SCHEDULES'] ?? 60);

/** The bill of a reference. */
const nameOf = (reference = '') => reference.replace(/^R-(\d+)-(\d+)$/, 'Bill $1 of house $2');

beforeEach(async () => {
  await emptyDatabase();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

it('the flow that lists bills is sound', () => expect(checkFlow(billFlow, {})).toEqual([]));

it(
  `pays the item shown under the typed key, in ${schedules} schedules of losses, crashes, retries and redials`,
  async () => {
    const deaths = new Map<string, number>();
    for (let index = 0; index < schedules; index++) {
      const seed = firstSeed + index;
      const random = new Random(seed);
      const world = new PayWorld(await emptyDatabase(), random, otherBillsEachTime(random));
      const payer = new BillPayer(world, random);
      try {
        await untilOver(payer.pay());
        for (const { entries } of world.bank.orders)
          expect(payer.confirmed).toContainEqual({ name: nameOf(entries['reference']), amount: entries['amount'] });
      } catch (error) {
        throw new Error(`MODEL_SEED=${seed}: ${String(error)}\n${payer.history.join('\n')}`, { cause: error });
      } finally {
        world.close();
        vi.clearAllTimers();
      }
      for (const [screen, times] of payer.deaths) deaths.set(screen, (deaths.get(screen) ?? 0) + times);
    }
    // A few schedules do not cover a crash on every screen.
    if (schedules < 1000) return;
    for (const screen of ['menu', 'list', 'page', 'confirm', 'working', 'offer'])
      expect(deaths.get(screen), `deaths on ${screen}`).toBeGreaterThan(0);
  },
  60_000 + schedules * 600,
);

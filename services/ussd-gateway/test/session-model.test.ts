import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AccountStore } from '../src/accounts/account-store.js';
import { MemorySessionStore } from '../src/sessions/memory-session-store.js';
import { compareWithModel, firstSeed, modelEnv, type World } from './model/compare.js';
import { screenNames } from './model/print.js';
import { emptyDatabase } from './support/embedded-database.js';
import { openTestApp, sendHop } from './support/test-app.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 });
});
afterEach(() => vi.useRealTimers());

async function worldInMemory(): Promise<World & { close: () => Promise<void> }> {
  const clock = () => Date.now();
  const database = await emptyDatabase();
  const app = await openTestApp({ clock, database, store: new MemorySessionStore({ clock }), env: modelEnv });
  return {
    accounts: new AccountStore(database),
    nowMs: clock,
    send: async (caller, text) => (await sendHop(app, text, { ...caller })).text,
    disturb: async (_, random) => {
      vi.setSystemTime(Date.now() + random.between(50, 1500));
      if (random.chance(0.004)) vi.setSystemTime(Date.now() + random.pick([100_000, 200_000, 500_000, 1_000_000]));
    },
    close: () => app.close(),
  };
}

const hops = Number(process.env['MODEL_HOPS'] ?? 3_000);
const worlds = Math.ceil(hops / 5_000);

it(
  `agrees with the model of its contract over ${hops} hops with retries, late and parallel duplicates`,
  async () => {
    const seen = new Set<string>();
    for (let index = 0; index < worlds; index++) {
      const world = await worldInMemory();
      for (const each of await compareWithModel(world, Math.ceil(hops / worlds), firstSeed + index)) seen.add(each);
      await world.close();
    }
    const outcomes = ['same', 'page', 'expired', 'invalid', 'locked', 'limited'];
    expect([...seen].toSorted()).toEqual([...screenNames, ...outcomes].toSorted());
  },
  60_000 + hops * 25,
);

import { expect, it } from 'vitest';
import { MemoryAccountStore } from '../src/accounts/memory-account-store.fixture.js';
import { MemorySessionStore } from '../src/sessions/memory-session-store.js';
import { compareWithModel, firstSeed, modelEnv, type World } from './model/compare.js';
import { screenNames } from './model/print.js';
import { openTestApp, sendHop } from './support/test-app.js';

async function worldInMemory(): Promise<World & { close: () => Promise<void> }> {
  let nowMs = 1_700_000_000_000;
  const clock = () => nowMs;
  const accounts = new MemoryAccountStore(clock);
  const app = await openTestApp({ clock, accounts, store: new MemorySessionStore({ clock }), env: modelEnv });
  return {
    accounts,
    nowMs: clock,
    send: async (caller, text) => (await sendHop(app, text, { ...caller })).text,
    disturb: async (_, random) => {
      nowMs += random.between(50, 1500);
      if (random.chance(0.004)) nowMs += random.pick([100_000, 200_000, 500_000, 1_000_000]);
    },
    close: () => app.close(),
  };
}

const hops = Number(process.env['MODEL_HOPS'] ?? 12_000);
const worlds = Math.ceil(hops / 5_000);

it(`agrees with the model of its contract over ${hops} hops with retries, late and parallel duplicates`, async () => {
  const seen = new Set<string>();
  for (let index = 0; index < worlds; index++) {
    const world = await worldInMemory();
    for (const each of await compareWithModel(world, Math.ceil(hops / worlds), index === 0 ? firstSeed : index))
      seen.add(each);
    await world.close();
  }
  const outcomes = ['same', 'page', 'expired', 'invalid', 'locked', 'limited'];
  expect([...seen].toSorted()).toEqual([...screenNames, ...outcomes].toSorted());
}, 300_000);

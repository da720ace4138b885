import { Random } from '@mlango/test-services/random';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { MemoryAccountStore } from '../src/accounts/memory-account-store.fixture.js';
import { MemorySessionStore } from '../src/sessions/memory-session-store.js';
import { RedisSessionStore } from '../src/sessions/redis-session-store.js';
import { Bank } from './model/bank.js';
import { places } from './model/print.js';
import { type Line, Subscriber } from './model/subscriber.js';
import { openTestApp, sendHop } from './support/test-app.js';

/** A run repeats exactly with the seed that its failure names. */
const firstSeed = Number(process.env['MODEL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const lockSeconds = 900;
const env = { LOCKOUT_SECONDS: String(lockSeconds), RESUME_WINDOW_SECONDS: '0' };

interface World {
  readonly accounts: MemoryAccountStore;
  readonly send: Line['send'];
  /** Lets time pass, or loses what is known of sessions. */
  readonly disturb: (subscribers: readonly Subscriber[], random: Random) => Promise<void>;
  readonly nowMs: () => number;
}

/** Subscribers with numbers of their own, and session ids that several of them have, type in turns. */
async function compare(world: World, hops: number, seed: number): Promise<Set<string>> {
  const random = new Random(seed);
  const seen = new Set<string>();
  const bank = new Bank(lockSeconds * 1000);
  const subscribers = Array.from({ length: 12 }, (_, index) => {
    const caller = { sessionId: `shared-${index % 3}`, phoneNumber: `+2609712${30_000 + index * 7}` };
    return new Subscriber(caller, { bank, line: world, random, seen });
  });
  let sent = 0;
  try {
    while (sent < hops) {
      sent += await random.pick(subscribers).type();
      await world.disturb(subscribers, random);
    }
  } catch (error) {
    throw new Error(`after ${sent} hops of MODEL_SEED=${seed}: ${String(error)}`, { cause: error });
  }
  const created = (await world.accounts.listPins('', 1_000_000)).map(({ id }) => id);
  expect(created.toSorted()).toEqual(bank.accounts.map(({ id }) => id ?? '').toSorted());
  return seen;
}

async function worldInMemory(): Promise<World & { close: () => Promise<void> }> {
  let nowMs = 1_700_000_000_000;
  const clock = () => nowMs;
  const accounts = new MemoryAccountStore(clock);
  const app = await openTestApp({ clock, accounts, store: new MemorySessionStore({ clock }), env });
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

it('agrees with the model of its contract over 100,000 hops with retries, late and parallel duplicates', async () => {
  const worlds = 20;
  const seen = new Set<string>();
  for (let index = 0; index < worlds; index++) {
    const world = await worldInMemory();
    for (const each of await compare(world, 100_000 / worlds, firstSeed + index)) seen.add(each);
    await world.close();
  }
  const outcomes = ['same', 'page', 'expired', 'invalid', 'locked', 'limited'];
  expect([...seen].toSorted()).toEqual([...places, ...outcomes].toSorted());
}, 300_000);

it.skipIf(redisUrl === undefined)(
  'agrees with it on two processes that share one Redis',
  async () => {
    const database = await freshRedis();
    const clients = [new Redis(database.url), new Redis(database.url)] as const;
    const nowMs = 1_700_000_000_000;
    const clock = () => nowMs;
    const accounts = new MemoryAccountStore(clock);
    const [one, two] = await Promise.all(
      clients.map((client) => openTestApp({ clock, accounts, store: new RedisSessionStore(client), env })),
    );
    if (one === undefined || two === undefined) throw new Error('two processes are needed');
    const world: World = {
      accounts,
      nowMs: clock,
      send: async (caller, text, copy) => (await sendHop(copy % 2 === 0 ? one : two, text, { ...caller })).text,
      disturb: async (subscribers, random) => {
        if (!random.chance(0.003)) return;
        await clients[0].flushdb();
        for (const subscriber of subscribers) subscriber.forget();
      },
    };
    try {
      await compare(world, 5000, firstSeed);
    } finally {
      await Promise.all([one.close(), two.close()]);
      for (const client of clients) client.disconnect();
      await database.drop();
    }
  },
  120_000,
);

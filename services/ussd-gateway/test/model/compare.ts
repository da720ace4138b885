import { Random } from '@mlango/test-services/random';
import { expect } from 'vitest';
import type { AccountStore } from '../../src/accounts/account-store.js';
import { Bank } from './bank.js';
import { type Line, Subscriber } from './subscriber.js';

const isLong = process.env['MODEL_HOPS'] !== undefined;
/** By default the same run each time, with a seed whose run meets every screen. A run is reproducible with the seed named by its failure. */
export const firstSeed = Number(process.env['MODEL_SEED'] ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 2));
const lockSeconds = 900;
export const modelEnv = { LOCKOUT_SECONDS: String(lockSeconds), RESUME_WINDOW_SECONDS: '0' };

export interface World {
  readonly accounts: Pick<AccountStore, 'listPins'>;
  readonly send: Line['send'];
  /** Advances time, or deletes the sessions. */
  readonly disturb: (subscribers: readonly Subscriber[], random: Random) => Promise<void>;
  readonly nowMs: () => number;
}

/** Subscribers with unique numbers, and session ids shared by several of them, type in turns. */
export async function compareWithModel(world: World, hops: number, seed: number): Promise<Set<string>> {
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

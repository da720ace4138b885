import type { Random } from '@mlango/test-services/random';
import type { RunEffect } from '../../src/effects/effect.js';
import type { Facts } from '../../src/engine/flow.js';

/** Holds money, and executes a payment once per key, as a payment provider does. */
export class Bank {
  /** References by key. */
  readonly payments = new Map<string, string>();
  readonly refusals = new Set<string>();
  /** Input of each payment, for every attempt. */
  readonly orders: { readonly key: string; readonly entries: Facts }[] = [];

  pay(key: string): string {
    const reference = this.payments.get(key) ?? `R-${this.payments.size + 1}`;
    this.payments.set(key, reference);
    return reference;
  }
}

export interface PayWays {
  readonly bank: Bank;
  readonly random: Random;
  /** Ends the process of the effect. */
  readonly die: () => void;
  readonly isDead: () => boolean;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const never = () => new Promise<never>(() => {});

/** An effect with every possible behaviour. It succeeds with a probability that grows with its attempts. */
export function payIn({ bank, random, die, isDead }: PayWays): RunEffect {
  let tries = 0;
  return async ({ key, entries }) => {
    bank.orders.push({ key, entries });
    const way = random.next() / (1 + tries++ / 8);
    await wait(random.pick([0, 1, 30, 700, 3500, 30_000]));
    if (isDead()) return never();
    if (way > 0.9) throw new Error('no connection');
    if (way > 0.85) {
      die();
      return never();
    }
    if (random.chance(0.05) && !bank.payments.has(key)) {
      bank.refusals.add(key);
    }
    if (bank.refusals.has(key)) return { result: 'refused' };
    const reference = bank.pay(key);
    if (way > 0.75) throw new Error('connection lost while it answered');
    if (way > 0.65) {
      die();
      return never();
    }
    if (way > 0.5) return { pending: true, retryInMs: random.pick([100, 5000, 40_000]) };
    await wait(random.pick([0, 10, 2000]));
    return isDead() ? never() : { result: 'paid', facts: { reference } };
  };
}

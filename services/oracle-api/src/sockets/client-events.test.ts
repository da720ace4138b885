import { describe, expect, it } from 'vitest';
import { EventBudget } from './client-events.js';

describe('an event budget', () => {
  it('allows a burst, then the steady rate, and accumulates at most one burst', () => {
    let now = 0;
    const budget = new EventBudget({ burst: 3, perSecond: 2 }, () => now);
    expect([1, 2, 3].map(() => budget.spend())).toEqual([true, true, true]);
    expect(budget.spend()).toBe(false);
    now += 1_000;
    expect(budget.spend()).toBe(true);
    now += 3_600_000;
    expect([1, 2, 3, 4].map(() => budget.spend())).toEqual([true, true, true, false]);
  });
});

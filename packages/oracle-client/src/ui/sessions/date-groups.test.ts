import { describe, expect, it } from 'vitest';
import { byDate } from './date-groups.js';

const now = new Date(2026, 10, 23, 9, 30);
const at = (...parts: [number, number, number, number?]) =>
  new Date(...(parts as [number, number, number])).toISOString();

describe('sessions by date', () => {
  it('are grouped by today, yesterday, the week before, and then months', () => {
    const dates = [
      at(2026, 10, 23),
      at(2026, 10, 22, 23),
      at(2026, 10, 22),
      at(2026, 10, 16),
      at(2026, 10, 15),
      at(2026, 10, 1),
      at(2025, 10, 30),
    ];
    const groups = byDate(dates, (date) => date, now);
    expect(groups.map(({ group, items }) => [group, items.length])).toEqual([
      ['today', 1],
      ['yesterday', 2],
      ['week', 1],
      [new Date(2026, 10, 1), 2],
      [new Date(2025, 10, 1), 1],
    ]);
  });

  it("are today's if a clock is ahead or the time is unknown", () => {
    expect(byDate([at(2026, 11, 1), undefined], (date) => date, now)).toEqual([
      { group: 'today', items: [at(2026, 11, 1), undefined] },
    ]);
    expect(byDate([], () => undefined, now)).toEqual([]);
  });
});

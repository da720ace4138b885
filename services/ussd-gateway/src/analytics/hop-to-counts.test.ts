import { describe, expect, it } from 'vitest';
import { anyRecord } from '../sessions/session-store.fixture.js';
import { hourMs } from './count.js';
import { countsOfHop } from './hop-to-counts.js';

const on = (state: string, change: { ended?: boolean; notice?: boolean; cameFrom?: string; shownAtMs?: number } = {}) =>
  anyRecord({
    position: {
      state,
      language: 'en',
      choices: {},
      page: 0,
      notice: change.notice ? { text: 'no', page: 0 } : undefined,
    },
    ended: change.ended ?? false,
    shownAtMs: change.shownAtMs ?? 1000,
    cameFrom: change.cameFrom,
  });
const live = (state: string) => ({ phase: 'live' as const, record: on(state) });
const closed = (state: string) => ({ phase: 'past' as const, record: on(state) });

describe('the counts of a hop', () => {
  it.each([
    ['a dial', { before: undefined, kind: 'dial', after: on('a') }, '', 'a', 'dialled'],
    ['a new dial in a live session', { before: live('b'), kind: 'dial', after: on('a') }, '', 'a', 'dialled'],
    ['a step', { before: live('a'), kind: 'input', after: on('b') }, 'a', 'b', 'moved'],
    ['a page turn', { before: live('a'), kind: 'input', after: on('a') }, 'a', 'a', 'stayed'],
    ['a wrong input', { before: live('a'), kind: 'input', after: on('a', { notice: true }) }, 'a', 'a', 'refused'],
    ['an exit', { before: live('a'), kind: 'input', after: on('z', { ended: true }) }, 'a', 'z', 'ended'],
    ['a lost session', { before: undefined, kind: 'replay', after: on('b') }, '', 'b', 'replayed'],
    ['a retry', { before: live('a'), kind: 'repeat', after: undefined }, 'a', '', 'repeated'],
    ['a late key', { before: closed('a'), kind: 'expired', after: undefined }, 'a', '', 'expired'],
  ])('have the screens and the outcome of %s', (_name, hop, fromScreen, toScreen, measure) => {
    const [first] = countsOfHop({ ...hop, answerMs: 1 }, 1000);
    expect(first).toMatchObject({ flow: 'default', fromScreen, toScreen, measure, count: 1 });
  });

  it('contain no subscriber', () => {
    const before = live('a');
    const counts = JSON.stringify(countsOfHop({ before, kind: 'input', after: on('b'), answerMs: 1 }, 1000));
    expect(counts).not.toContain(before.record.phoneNumber);
    expect(counts).not.toContain(before.record.sessionId);
  });

  it('balance the open visits in the hours and slots in which the screens were shown', () => {
    const before = { phase: 'live' as const, record: on('b', { cameFrom: 'a', shownAtMs: hourMs - 1000 }) };
    const after = on('c', { cameFrom: 'b', shownAtMs: hourMs + 2000 });
    const counts = countsOfHop({ before, kind: 'input', after, answerMs: 1 }, 0);
    const open = { flow: 'default', version: 1, measure: 'open' };
    expect(counts.filter(({ measure }) => measure === 'open')).toEqual([
      { ...open, hour: 1, fromScreen: 'b', toScreen: 'c', bucket: 0, count: 1 },
      { ...open, hour: 0, fromScreen: 'a', toScreen: 'b', bucket: 11, count: -1 },
    ]);
    expect(counts[0]).toMatchObject({ hour: 1, fromScreen: 'b', toScreen: 'c', measure: 'moved', bucket: 3000 });
  });

  it('leave the visit of a redialled session open', () => {
    const counts = countsOfHop({ before: live('b'), kind: 'dial', after: on('a'), answerMs: 1 }, 1000);
    expect(counts.filter(({ count }) => count < 0)).toEqual([]);
  });
});

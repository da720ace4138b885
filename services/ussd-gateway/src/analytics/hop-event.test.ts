import { describe, expect, it } from 'vitest';
import { anyRecord } from '../sessions/session-store.fixture.js';
import { toHopEvent } from './hop-event.js';

const on = (state: string, change: { ended?: boolean; notice?: boolean } = {}) =>
  anyRecord({
    position: {
      state,
      language: 'en',
      choices: {},
      page: 0,
      notice: change.notice ? { text: 'no', page: 0 } : undefined,
    },
    ended: change.ended ?? false,
    shownAtMs: 1000,
  });
const live = (state: string) => ({ phase: 'live' as const, record: on(state) });
const gone = (state: string) => ({ phase: 'gone' as const, record: on(state) });

describe('a hop event', () => {
  it.each([
    ['a dial', { before: undefined, kind: 'dial', after: on('a') }, 'a', 'dialled', true],
    ['a new dial in a live session', { before: live('b'), kind: 'dial', after: on('a') }, 'a', 'dialled', true],
    ['a step', { before: live('a'), kind: 'input', after: on('b') }, 'a', 'moved', true],
    ['a page turn', { before: live('a'), kind: 'input', after: on('a') }, 'a', 'stayed', false],
    ['a wrong input', { before: live('a'), kind: 'input', after: on('a', { notice: true }) }, 'a', 'refused', false],
    ['an exit', { before: live('a'), kind: 'input', after: on('z', { ended: true }) }, 'a', 'ended', true],
    ['a lost session', { before: undefined, kind: 'replay', after: on('b') }, 'b', 'replayed', true],
    ['a retry', { before: live('a'), kind: 'repeat', after: undefined }, 'a', 'repeated', false],
    ['a late key', { before: gone('a'), kind: 'expired', after: undefined }, 'a', 'expired', false],
  ])('describes %s', (_name, hop, screen, outcome, isVisit) => {
    expect(toHopEvent({ ...hop, answerMs: 1 })).toMatchObject({ flow: 'default', screen, outcome, isVisit });
  });

  it('contains no subscriber', () => {
    const before = live('a');
    const seen = JSON.stringify(toHopEvent({ before, kind: 'input', after: on('b'), answerMs: 1 }));
    expect(seen).not.toContain(before.record.phoneNumber);
    expect(seen).not.toContain(before.record.sessionId);
  });

  it('does not count a redialled session as continued', () => {
    expect(toHopEvent({ before: live('b'), kind: 'dial', after: on('a'), answerMs: 1 }).left).toBeUndefined();
  });

  it('has the screen before, the screen after and the previous screen', () => {
    const before = { phase: 'live' as const, record: { ...on('b'), cameFrom: 'a' } };
    const after = { ...on('c'), cameFrom: 'b', shownAtMs: 2000 };
    const flow = { id: 'default', version: 1 };
    expect(toHopEvent({ before, kind: 'input', after, answerMs: 1 })).toMatchObject({
      left: { flow, screen: 'b', from: 'a', sinceMs: 1000 },
      shown: { flow, screen: 'c', from: 'b', sinceMs: 2000 },
    });
  });
});

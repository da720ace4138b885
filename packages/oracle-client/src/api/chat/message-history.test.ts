import { describe, expect, it } from 'vitest';
import { joinEarlier, joinNewest } from './message-history.js';
import type { MessagePage, MessageRecord } from './message-record.js';

const record = (id: string, content = id): MessageRecord => ({ id, type: 'human', content });
const page = (ids: string, prevCursor: string | null = null): MessagePage => ({
  messages: [...ids].map((id) => record(id)),
  prevCursor,
});
const idsOf = ({ messages }: MessagePage) => messages.map(({ id }) => id).join('');

describe('pages of a conversation', () => {
  it.each([
    ['no page was known', undefined, page('cd', 'x'), 'cd', 'x'],
    ['no message is new', page('cd', 'x'), page('cd', 'x'), 'cd', 'x'],
    ['the newest page begins where the known ones do', page('cd', 'x'), page('cde', 'x'), 'cde', 'x'],
    ['earlier ones are known', page('abcd', null), page('cdef', 'x'), 'abcdef', null],
    ['deleted messages', page('abcd', null), page('cf', 'x'), 'abcf', null],
    ['there is a gap', page('ab', null), page('fg', 'y'), 'fg', 'y'],
    ['all deleted', page('ab', null), page('', null), '', null],
  ])('are joined when %s', (_, known, newest, ids, cursor) => {
    const joined = joinNewest(known, newest);
    expect([idsOf(joined), joined.prevCursor]).toEqual([ids, cursor]);
  });

  it('keep unchanged messages', () => {
    const known = page('ab');
    const joined = joinNewest(known, { messages: [record('a'), record('b', 'changed')], prevCursor: null });
    expect(joined.messages[0]).toBe(known.messages[0]);
    expect(joined.messages[1]).toEqual(record('b', 'changed'));
  });

  it('grow at their beginning, without duplicates', () => {
    const joined = joinEarlier(page('cd', 'x'), page('abc', 'w'));
    expect([idsOf(joined), joined.prevCursor]).toEqual(['abcd', 'w']);
  });
});

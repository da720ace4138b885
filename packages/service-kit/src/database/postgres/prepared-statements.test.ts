import { describe, expect, it } from 'vitest';
import { PreparedStatements } from './retrying-client.js';

describe('prepared texts', () => {
  it('are those that repeat, from the second time on', () => {
    const texts = new PreparedStatements();
    expect([1, 2, 3].map(() => texts.take('select 1'))).toEqual([false, true, true]);
  });

  it('are bounded in number', () => {
    const texts = new PreparedStatements();
    const all = Array.from({ length: 1_000 }, (_, at) => `select ${at}`);
    const taken = all.flatMap((text) => [text, text]).filter((text) => texts.take(text));
    expect(taken).toEqual(all.slice(0, 200));
    expect(texts.take('select 0')).toBe(true);
  });

  it('are not evicted by texts that occur once', () => {
    const texts = new PreparedStatements();
    for (const text of ['often', 'often']) texts.take(text);
    for (let at = 0; at < 1_000; at++) expect(texts.take(`select ${at}`)).toBe(false);
    expect(texts.take('often')).toBe(true);
  });
});

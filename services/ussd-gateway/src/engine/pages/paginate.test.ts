import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsMessage, pageLimits } from './message-limits.js';
import { type PageRules, paginate, printPage } from './paginate.js';

const rules: PageRules = {
  limits: pageLimits,
  turners: { more: '98. More', previous: '99. Previous' },
  navigation: ['1. Back to Main Menu', '0. Back'],
};
const print = (body: string[]) => paginate(body, rules).map((page) => printPage(page, rules));

describe('a screen', () => {
  it('has one page without turners if it fits', () => {
    expect(print(['Hello'])).toEqual(['Hello\n1. Back to Main Menu\n0. Back']);
  });

  it('has its whole navigation on every page, and turners where further pages exist', () => {
    const pages = print(Array.from({ length: 30 }, (_, index) => `${index + 1}. Entry number ${index + 1}`));
    expect(pages.length).toBeGreaterThan(2);
    for (const [index, page] of pages.entries()) {
      expect(page.endsWith('\n1. Back to Main Menu\n0. Back')).toBe(true);
      expect(page.includes('98. More')).toBe(index < pages.length - 1);
      expect(page.includes('99. Previous')).toBe(index > 0);
    }
  });

  it('keeps short lines whole', () => {
    const entries = Array.from({ length: 20 }, (_, index) => `${index + 1}. Entry with a longer name`);
    const printed = print(entries).flatMap((page) => page.split('\n'));
    for (const entry of entries) expect(printed).toContain(entry);
  });

  it('continues a long paragraph directly after its title', () => {
    const [first] = print(['Title', 'word '.repeat(80)]);
    expect(first?.startsWith('Title\nword word')).toBe(true);
  });

  it('never divides a grapheme', () => {
    const family = '👩‍👩‍👧‍👦';
    for (const page of print([family.repeat(30)])) {
      const [line = ''] = page.split('\n');
      expect(line.replaceAll(family, '')).toBe('');
    }
  });

  it('always fits, loses no character and keeps their order, for any text', () => {
    const anyLine = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: fc.constantFrom('a', ' ', '€', 'ç', '̈', '😀'), maxLength: 300 }),
    );
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 8 }), (lines) => {
        const body = lines.flatMap((line) => line.split('\n'));
        const pages = paginate(body, rules);
        for (const page of pages) expect(fitsMessage(printPage(page, rules), pageLimits)).toBe(true);
        const squeeze = (texts: readonly string[]) => texts.join('').replaceAll(/\s/gu, '');
        expect(squeeze(pages.flatMap((page) => page.lines))).toBe(squeeze(body));
      }),
      { numRuns: 300 },
    );
  });

  it('throws if the foot leaves no room', () => {
    expect(() => paginate(['x'.repeat(200)], { ...rules, navigation: ['y'.repeat(150)] })).toThrow(RangeError);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolNameFor } from './invocations.js';

describe('the name of a tool of a server', () => {
  it('joins the two names, if models accept that', () => {
    expect(toolNameFor('search', 'find_all')).toBe('search__find_all');
  });

  it('stays unique for names that are equal after shortening', () => {
    const names = ['read.note', 'read/note', 'read note', 'läs'].map((tool) => toolNameFor('files', tool));
    expect(new Set(names).size).toBe(4);
    expect(toolNameFor('files', 'x'.repeat(100))).not.toBe(toolNameFor('files', 'x'.repeat(101)));
  });

  it('is always one that models accept', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }), (tool) => {
        expect(toolNameFor('a-server-with-a-long-one', tool)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });
});

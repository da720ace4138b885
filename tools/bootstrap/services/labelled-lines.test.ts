import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { label, lineCutter } from './labelled-lines.mjs';

describe('lineCutter', () => {
  it('cuts lines for any split of the bytes, even in the middle of a character', () => {
    const lines = fc.array(
      fc.string({ unit: 'grapheme' }).filter((line) => !/[\r\n]/.test(line)),
      { minLength: 1 },
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 });
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n'), sizes, (expected, newline, pieces) => {
        const bytes = Buffer.from(expected.map((line) => line + newline).join(''));
        const found: string[] = [];
        const cutter = lineCutter((line) => found.push(line));
        for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
          const size = pieces[piece % pieces.length] ?? 1;
          cutter.push(bytes.subarray(at, at + size));
          at += size;
        }
        cutter.end();
        expect(found).toEqual(expected);
      }),
    );
  });

  it('emits an unterminated line at the end', () => {
    const lines: string[] = [];
    const cutter = lineCutter((line) => lines.push(line));
    cutter.push(Buffer.from('one\ntwo'));
    cutter.end();
    expect(lines).toEqual(['one', 'two']);
  });

  it('emits an endless line in pieces', () => {
    const lines: string[] = [];
    const cutter = lineCutter((line) => lines.push(line));
    for (let piece = 0; piece < 200; piece += 1) cutter.push(Buffer.alloc(1024, 'x'));
    expect(lines.length).toBeGreaterThan(0);
    cutter.end();
    expect(lines.join('')).toBe('x'.repeat(200 * 1024));
  });
});

describe('label', () => {
  it('has one width for all names and no escape codes unless colour is enabled', () => {
    expect(label('one', { width: 5, index: 0, colour: false })).toBe('one   | ');
    expect(label('one', { width: 5, index: 0, colour: true })).toContain('\u001b[');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WireCursor } from './cursor.js';
import { JsonText } from './json-text.js';
import { jsonString } from './text.js';

function written(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const out = new JsonText();
  out.byte(0x3a);
  const cursor = new WireCursor(bytes, out);
  cursor.pos = start;
  jsonString(cursor, end, true);
  return out.take().slice(1);
}

describe('a text of the wire as a JSON string', () => {
  it('has every ASCII character in every position like JSON.stringify', () => {
    for (let code = 0; code < 0x80; code += 1) {
      for (let at = 0; at < 9; at += 1) {
        const text = `${'a'.repeat(at)}${String.fromCharCode(code)}${'z'.repeat(8 - at)}`;
        expect(written(Buffer.from(text)), JSON.stringify(text)).toBe(JSON.stringify(text));
      }
    }
  });

  it('depends on its range only', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(text, text, text, (before, inner, after) => {
        const [start, end] = [Buffer.byteLength(before), Buffer.byteLength(before + inner)];
        expect(written(Buffer.from(before + inner + after), start, end)).toBe(JSON.stringify(inner));
      }),
    );
  });

  it('contains U+FFFD for invalid UTF-8 if replacement is configured', () => {
    const out = new JsonText(true);
    jsonString(new WireCursor(Uint8Array.of(0x61, 0xff, 0x7a), out), 3, true);
    expect([out.hasReplaced, out.take()]).toEqual([true, '"a\ufffdz"']);
  });

  it('is refused for invalid UTF-8', () => {
    for (let at = 0; at < 9; at += 1) {
      const bytes = Buffer.alloc(9, 'a');
      bytes[at] = 0xff;
      expect(() => written(bytes)).toThrow(TypeError);
    }
  });
});

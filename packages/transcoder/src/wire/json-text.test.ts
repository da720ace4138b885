import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonText, jsonPart } from './json-text.js';

describe('JSON in the making', () => {
  it('is the concatenation of the added texts, of any characters and length', () => {
    const out = new JsonText();
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.constant('ü'.repeat(300_000)));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        out.clear();
        for (const each of texts) out.text(JSON.stringify(each));
        expect(out.take()).toBe(texts.map((each) => JSON.stringify(each)).join(''));
      }),
      { numRuns: 50 },
    );
  });

  it('restarts after an aborted text, and returns the cut part unchanged', () => {
    const out = new JsonText();
    out.text('"é, and then something broke');
    out.clear();
    out.put(jsonPart('{"a":'));
    const start = out.length;
    out.text('"ß"');
    out.ascii(out.cut(start));
    out.byte(0x7d);
    expect(out.is(start, jsonPart('"ß"}'))).toBe(true);
    expect(out.take()).toBe('{"a":"ß"}');
  });
});

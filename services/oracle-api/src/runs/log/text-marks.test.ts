import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TextMarks } from './frames.js';

it('marks have the length of the text after each frame, also after serialisation', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constant(0), fc.nat(5_000)), { maxLength: 50 }), (lengths) => {
      const marks = new TextMarks();
      for (const length of lengths) marks.add(length);
      for (const each of [marks, TextMarks.read(marks.toString())]) {
        let total = 0;
        expect(each.lengthAt(0)).toBe(0);
        for (const [index, length] of lengths.entries()) {
          total += length;
          expect(each.lengthAt(index + 1)).toBe(total);
        }
        expect(each.lengthAt(lengths.length + 9)).toBe(total);
        expect([each.total, each.lastId]).toEqual([total, lengths.length]);
        expect(each.lastTextId).toBe(lengths.findLastIndex((length) => length > 0) + 1);
      }
    }),
  );
});

it('marks of 500 words take about a kilobyte', () => {
  const marks = new TextMarks();
  for (let word = 0; word < 500; word++) marks.add(5);
  expect(marks.toString().length).toBeLessThan(1_001);
});

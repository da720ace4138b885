import { describe, expect, it } from 'vitest';
import { CompactingMap } from './single-flight.js';

describe('entries that pass', () => {
  it('are there until they are forgotten, however many come and go beside them', () => {
    const entries = new CompactingMap<number>();
    for (let at = 0; at < 300; at += 1) entries.add(`stays ${at}`, at);
    for (let at = 0; at < 5000; at += 1) {
      entries.add(`goes ${at}`, at);
      expect(entries.find(`goes ${at}`)).toBe(at);
      entries.forget(`goes ${at}`);
      expect(entries.find(`goes ${at}`)).toBeUndefined();
    }
    for (let at = 0; at < 300; at += 1) expect(entries.find(`stays ${at}`)).toBe(at);
  });
});

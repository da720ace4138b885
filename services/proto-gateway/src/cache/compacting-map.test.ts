import { describe, expect, it } from 'vitest';
import { CompactingMap } from './single-flight.js';

describe('CompactingMap', () => {
  it('keeps values through any number of insertions and deletions', () => {
    const entries = new CompactingMap<number>();
    for (let at = 0; at < 300; at += 1) entries.set(`stays ${at}`, at);
    for (let at = 0; at < 5000; at += 1) {
      entries.set(`goes ${at}`, at);
      expect(entries.get(`goes ${at}`)).toBe(at);
      entries.delete(`goes ${at}`);
      expect(entries.get(`goes ${at}`)).toBeUndefined();
    }
    for (let at = 0; at < 300; at += 1) expect(entries.get(`stays ${at}`)).toBe(at);
  });
});

import { status } from '@grpc/grpc-js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Entry, paginate } from './pagination.js';

const list = (length: number): Entry<number>[] =>
  Array.from({ length }, (_, index) => ({ key: keyOf(index), value: index }));
const keyOf = (index: number) => Buffer.from([index >>> 8, index & 0xff]);
const base64 = (index: number) => keyOf(index).toString('base64');
const page = (request: Record<string, string | boolean>) => request;
const items = (length: number) => Array.from({ length }, (_, index) => index);

describe('paginate', () => {
  it('without a request returns the first 100 and counts the list', () => {
    const { items: got, pagination } = paginate(list(250), undefined);
    expect(got).toEqual(items(100));
    expect(pagination).toEqual({ next_key: base64(100), total: '250' });
  });

  it('counts if no limit is given, even without count_total', () => {
    expect(paginate(list(3), page({ count_total: false })).pagination.total).toBe('3');
    expect(paginate(list(3), page({ limit: '2' })).pagination.total).toBe('0');
    expect(paginate(list(3), page({ limit: '2', count_total: true })).pagination.total).toBe('3');
  });

  it('never counts by key', () => {
    const { items: got, pagination } = paginate(list(9), page({ key: base64(4), count_total: true, limit: '2' }));
    expect(got).toEqual([4, 5]);
    expect(pagination).toEqual({ next_key: base64(6), total: '0' });
  });

  it('an unknown key begins at the next one, or at the last one in reverse', () => {
    const even = list(10).filter((entry) => entry.value % 2 === 0);
    expect(paginate(even, page({ key: base64(3), limit: '2' })).items).toEqual([4, 6]);
    expect(paginate(even, page({ key: base64(3), limit: '2', reverse: true })).items).toEqual([4, 2]);
    expect(paginate(even, page({ key: base64(99), limit: '2' })).items).toEqual([]);
    expect(paginate(even, page({ key: base64(99), limit: '2', reverse: true })).items).toEqual([8, 6]);
  });

  it('an offset beyond the end returns an empty last page', () => {
    for (const reverse of [false, true]) {
      const { items: got, pagination } = paginate(list(5), page({ offset: '5', limit: '2', reverse }));
      expect(got).toEqual([]);
      expect(pagination.next_key).toHaveLength(0);
    }
  });

  it('accepts limits and offsets of any 64 bits', () => {
    const huge = '18446744073709551615';
    expect(paginate(list(5), page({ limit: huge })).items).toEqual(items(5));
    expect(paginate(list(5), page({ offset: huge, limit: '1' })).items).toEqual([]);
  });

  it('refuses a key together with an offset', () => {
    const both = () => paginate(list(5), page({ key: base64(1), offset: '1' }));
    expect(both).toThrow('either offset or key is expected, got both');
    expect(both).toThrow(expect.objectContaining({ code: status.INTERNAL }));
  });

  it('an empty list has one empty page', () => {
    for (const reverse of [false, true]) {
      expect(paginate([], page({ reverse }))).toEqual({
        items: [],
        pagination: { next_key: '', total: '0' },
      });
      expect(paginate([], page({ reverse, key: base64(1) })).items).toEqual([]);
    }
  });
});

describe('paging through a list', () => {
  const lengths = fc.integer({ min: 0, max: 300 });
  const limits = fc.integer({ min: 1, max: 120 });

  it('by key returns every item once and in order, at any limit, both ways', () => {
    fc.assert(
      fc.property(lengths, limits, fc.boolean(), (length, limit, reverse) => {
        const seen: number[] = [];
        let key = '';
        do {
          const { items: got, pagination } = paginate(list(length), page({ key, limit: String(limit), reverse }));
          expect(got.length).toBeLessThanOrEqual(limit);
          seen.push(...got);
          key = pagination.next_key;
        } while (key.length > 0);
        expect(seen).toEqual(reverse ? items(length).reverse() : items(length));
      }),
    );
  });

  it('by offset returns the same pages as cutting the list', () => {
    fc.assert(
      fc.property(lengths, limits, fc.integer({ min: 0, max: 320 }), fc.boolean(), (length, limit, offset, reverse) => {
        const request = page({ offset: String(offset), limit: String(limit), reverse, count_total: true });
        const { items: got, pagination } = paginate(list(length), request);
        const all = reverse ? items(length).reverse() : items(length);
        expect(got).toEqual(all.slice(offset, offset + limit));
        expect(pagination.total).toBe(String(length));
        const next = all[offset + limit];
        expect(pagination.next_key).toBe(next === undefined ? '' : base64(next));
      }),
    );
  });
});

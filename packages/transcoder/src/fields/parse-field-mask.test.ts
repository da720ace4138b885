import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import { describe, expect, it } from 'vitest';
import { parseFieldMask } from './parse-field-mask.js';

const everything = messageOf(everythingRegistry(), 'everything.v1.Everything');
const read = (text: string) => parseFieldMask(text, everything);

describe('a field mask', () => {
  it('nests paths, and a whole field covers its parts in either order', () => {
    const tree = new Map<string, unknown>([
      ['leaf', new Map([['label', true]])],
      ['tree', new Map<string, unknown>([['parent', new Map([['id', true]])]])],
      ['int64_value', true],
    ]);
    expect(read('leaf.label,tree.parent.id,int64_value')).toEqual({ mask: tree, unknown: [] });
    for (const text of ['leaf,leaf.label', 'leaf.label,leaf']) {
      expect(read(text)).toEqual({ mask: new Map([['leaf', true]]), unknown: [] });
    }
  });

  it('treats both spellings of a field as one', () => {
    expect(read('int64Value,manyLeaves.label,many_leaves.counts')).toEqual({
      mask: new Map<string, unknown>([
        ['int64_value', true],
        [
          'many_leaves',
          new Map([
            ['label', true],
            ['counts', true],
          ]),
        ],
      ]),
      unknown: [],
    });
  });

  it('reports unknown paths once each, and ignores them', () => {
    expect(read('nope,leaf.nope,int64_value.low,int64_value,nope')).toEqual({
      mask: new Map([['int64_value', true]]),
      unknown: ['nope', 'leaf.nope', 'int64_value.low'],
    });
    expect(parseFieldMask('a', undefined)).toEqual({ mask: new Map(), unknown: ['a'] });
  });

  it('accepts any path into dynamic messages', () => {
    for (const text of ['payload.whatever.it.is', 'record.a.b']) {
      expect(read(text)).toHaveProperty('unknown', []);
    }
  });

  it.each(['', ',', 'a,', 'a b', '1a', 'a[0]', 'a..b', '.a', 'a.'])('refuses %j', (text) => {
    expect(read(text)).toEqual({ problem: 'must be field paths with commas between' });
  });

  it('has 32 levels and 200 paths at most', () => {
    const deep = (levels: number) => `tree${'.parent'.repeat(levels - 1)}`;
    expect(read(deep(32))).toHaveProperty('unknown', []);
    expect(read(deep(33))).toEqual({ problem: 'must be field paths of at most 32 levels' });
    expect(read(Array(200).fill('leaf').join())).toHaveProperty('unknown', []);
    expect(read(Array(201).fill('leaf').join())).toEqual({ problem: 'must be at most 200 field paths' });
  });
});

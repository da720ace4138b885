import type { IMemory } from '@mlango/oracle-client';
import { describe, expect, it } from 'vitest';
import { allMemories } from './all-memories.js';

const memory = (id: number): IMemory => ({ id: `m-${id}`, kind: 'fact', content: `${id}`, createdAt: '' });

describe('all memories', () => {
  it('are read page by page, each once, also while one is added', async () => {
    const kept = Array.from({ length: 250 }, (_, id) => memory(id));
    const offsets: number[] = [];
    const all = await allMemories(async ({ limit, offset }) => {
      offsets.push(offset);
      const page = { memories: kept.slice(offset, offset + limit), total: kept.length };
      if (offset === 0) kept.unshift(memory(1_000));
      return page;
    });
    expect(offsets).toEqual([0, 100, 200]);
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 250 }, (_, id) => `m-${id}`));
  });

  it('are empty without entries', async () => {
    expect(await allMemories(async () => ({ memories: [], total: 0 }))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Asked, Query } from '../../engine/flow.js';
import { askChain } from './ask-chain.js';
import { MemoryChainReader } from './memory-chain-reader.fixture.js';

const asked: Asked[] = [];
const findName: Query = {
  kind: 'query',
  results: { found: { name: ['W'.repeat(12)] }, unknown: {} },
  ask: async (question, chain) => {
    asked.push(question);
    const name = await chain.read({ path: ['names', question.entries['id'] ?? ''], answer: z.string() });
    return name === undefined ? { result: 'unknown' } : { result: 'found', facts: { name } };
  },
};
describe('the queries of a flow', () => {
  const run = (name: string, change: Partial<Asked> = {}) => {
    const chain = new MemoryChainReader({ '/names/1': name });
    return askChain(findName, { entries: { id: '1' }, with: {}, language: 'en', ...change }, chain);
  };

  it('are asked with what was typed', async () => {
    expect(await run('Ann')).toEqual({ result: 'found', facts: { name: 'Ann' } });
    expect(asked.at(-1)).toEqual({ entries: { id: '1' }, with: {}, language: 'en' });
    expect(await run('Ann', { entries: { id: '2' } })).toEqual({ result: 'unknown', facts: {} });
  });

  it('give facts of one line that are no longer than declared', async () => {
    expect(await run('A\n1. Pay\u2028me')).toMatchObject({ facts: { name: 'A 1. Pay me' } });
    expect(await run('a name of many letters')).toMatchObject({ facts: { name: 'a name of...' } });
  });
});

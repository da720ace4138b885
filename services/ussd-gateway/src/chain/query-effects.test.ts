import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Asked, Query } from '../engine/query.js';
import type { EffectRequest, HopEffects } from '../sessions/hop-effects.js';
import { MemoryChainReader } from './memory-chain-reader.js';
import { queryEffects } from './query-effects.js';

const request: EffectRequest = {
  effect: 'findName',
  key: 'k',
  phoneNumber: '+260971230567',
  language: 'en',
  account: undefined,
  entries: { id: '1' },
  with: {},
  secret: '48291',
};
const asked: Asked[] = [];
const findName: Query<'found' | 'unknown', 'name'> = {
  results: ['found', 'unknown'],
  longest: { name: 'W'.repeat(12) },
  ask: async (question, chain) => {
    asked.push(question);
    const name = await chain.read({ path: ['names', question.entries['id'] ?? ''], answer: z.string() });
    return name === undefined ? { result: 'unknown' } : { result: 'found', facts: { name } };
  },
};
const others: HopEffects = { run: async () => ({ result: 'other' }), languageOf: async () => 'sw' };

describe('the queries of a flow', () => {
  const run = (name: string, change: Partial<EffectRequest> = {}) =>
    queryEffects(new MemoryChainReader({ '/names/1': name }), others).run({ ...request, query: findName, ...change });

  it('are asked with what was typed, and never with a secret', async () => {
    expect(await run('Ann')).toEqual({ result: 'found', facts: { name: 'Ann' } });
    expect(asked.at(-1)).toEqual({ entries: { id: '1' }, with: {}, language: 'en' });
    expect(await run('Ann', { entries: { id: '2' } })).toEqual({ result: 'unknown', facts: {} });
  });

  it('give facts of one line that are no longer than declared', async () => {
    expect(await run('A\n1. Pay\u2028me')).toMatchObject({ facts: { name: 'A 1. Pay me' } });
    expect(await run('a name of many letters')).toMatchObject({ facts: { name: 'a name of...' } });
  });

  it('leave other effects, and languages, to those who have them', async () => {
    expect(await run('Ann', { effect: 'logIn', query: undefined })).toEqual({ result: 'other' });
    expect(await queryEffects(new MemoryChainReader({}), others).languageOf('+260971230567')).toBe('sw');
  });
});

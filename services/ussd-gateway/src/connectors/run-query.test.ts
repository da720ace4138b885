import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Query, QueryRequest } from '../engine/flow.js';
import { runQuery } from './run-query.js';
import { chainOf, queryRequest, sourcesOf } from './sources.fixture.js';

const seen: QueryRequest[] = [];
const findName: Query = {
  kind: 'query',
  results: { found: { name: ['W'.repeat(12)] }, unknown: {} },
  run: async (question, { chain }) => {
    seen.push(question);
    const name = await chain.read({ path: ['names', question.entries['id'] ?? ''], answer: z.string() });
    return name === undefined ? { result: 'unknown' } : { result: 'found', facts: { name } };
  },
};
describe('the queries of a flow', () => {
  const run = (name: string, id = '1') => {
    const sources = sourcesOf(chainOf({ '/names/1': name }));
    return runQuery(findName, queryRequest({ entries: { id } }), sources);
  };

  it('receive the typed values', async () => {
    expect(await run('Ann')).toEqual({ result: 'found', facts: { name: 'Ann' } });
    expect(seen.at(-1)).toEqual(queryRequest({ entries: { id: '1' } }));
    expect(await run('Ann', '2')).toEqual({ result: 'unknown', facts: {} });
  });

  it('return facts of one line within their declared length', async () => {
    expect(await run('A\n1. Pay\u2028me')).toMatchObject({ facts: { name: 'A 1. Pay me' } });
    expect(await run('a name of many letters')).toMatchObject({ facts: { name: 'a name of...' } });
  });
});

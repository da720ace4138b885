import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runQuery } from '../run-query.js';
import { chainOf, queryRequest, sourcesOf } from '../sources.fixture.js';
import { chainOperation, chainSettings } from './chain-operation.js';

const chain = chainOf({
  '/bank/balances/a%2Fb': {
    balances: [{ amount: '1234567', denom: 'u' }],
    since: '2024-01-12T09:00:00Z',
    odd: { deep: 1 },
  },
});
const sources = sourcesOf(chain);
const asked = (address: string) => queryRequest({ entries: { address } });
const settings = (gives: object) => z.object(chainSettings).parse({ path: ['bank', 'balances', '{address}'], gives });

describe('a chain query declared by a flow', () => {
  it.each<[object, string]>([
    [{ from: 'balances.0.amount', longest: '20' }, '1234567'],
    [{ from: 'balances.0.amount', longest: '20', as: 'amount', decimals: '6' }, '1.234567'],
    [{ from: 'balances.0.amount', longest: '20', as: 'amount', decimals: '9' }, '0.001234567'],
    [{ from: 'since', longest: '10', as: 'date' }, '2024-01-12'],
    [{ from: 'balances.0.denom', longest: '10', as: 'date', otherwise: 'never' }, 'never'],
    [{ from: 'balances.0.denom', longest: '10', as: 'amount', decimals: '6' }, '-'],
    [{ from: 'balances.1.amount', longest: '10' }, '-'],
    [{ from: 'odd', longest: '10', otherwise: 'none' }, 'none'],
    [{ from: 'balances.length', longest: '10' }, '1'],
    [{ from: 'constructor.name', longest: '10' }, '-'],
  ])('returns the fields %j of the reply as %j', async (how, printed) => {
    const operation = chainOperation(settings({ fact: how }));
    expect(operation.takes).toEqual(['address']);
    expect(await operation.run(asked('a/b'), sources)).toEqual({ result: 'found', facts: { fact: printed } });
    expect(Object.keys(operation.results)).toEqual(['found', 'unknown']);
  });

  it('gives a list of the reply, item by item', async () => {
    const fields = {
      coin: { from: 'denom', longest: '5' },
      sum: { from: 'amount', longest: '9', as: 'amount', decimals: '6' },
    };
    const operation = chainOperation(settings({ coins: { from: 'balances', most: '2', items: fields } }));
    expect(Object.keys(operation.results)).toEqual(['found', 'unknown', 'empty']);
    const ask = (balances: unknown) =>
      runQuery(operation, asked('a/b'), sourcesOf(chainOf({ '/bank/balances/a%2Fb': { balances } })));
    const held = { denom: 'u\nixo and more', amount: '1234567' };
    expect(await ask([held, {}, held])).toEqual({
      result: 'found',
      facts: {},
      lists: {
        coins: [
          { coin: 'u...', sum: '1.234567' },
          { coin: '-', sum: '-' },
        ],
      },
    });
    expect(await ask([])).toEqual({ result: 'empty' });
    await expect(ask(null)).rejects.toMatchObject({ code: 'internal', message: expect.stringContaining('"coins"') });
  });

  it('keeps typed text one segment, and returns unknown for a missing entry', async () => {
    const operation = chainOperation(settings({}));
    for (const address of ['a', '..', '', '{address}']) {
      expect(await operation.run(asked(address), sources)).toEqual({ result: 'unknown' });
    }
  });
});

import { describe, expect, it } from 'vitest';
import { readKeyFile, type StartChecks } from './key-file.js';

const sha256 = 'ab'.repeat(32);
const other = 'cd'.repeat(32);
const key = { name: 'wallet', sha256 };
const read = (json: unknown) => readKeyFile(JSON.stringify(json));

describe('a file of keys', () => {
  it('has a plan per key, without limits for omitted fields', () => {
    const plan = {
      requestsPerMinute: 60,
      bytesPerMinute: 1e6,
      pageLimit: 10,
      methods: ['ixo.token.v1beta1.Query', 'ixo.entity.v1beta1.Query/Entity'],
      heights: '5-9',
      expires: '2027-01-01T00:00:00Z',
      notes: 'the app, since May',
    };
    expect(
      read({
        keys: [
          { ...key, ...plan },
          { name: 'indexer', sha256: other },
        ],
      }),
    ).toEqual({
      keys: [
        {
          name: 'wallet',
          digest: Buffer.from(sha256, 'hex'),
          plan: {
            requestsPerMinute: 60,
            bytesPerMinute: 1e6,
            pageLimit: 10,
            methods: new Set(plan.methods),
            heights: { text: '5-9', from: 5n, to: 9n },
            expiresAtMs: Date.UTC(2027, 0, 1),
          },
        },
        { name: 'indexer', digest: Buffer.from(other, 'hex'), plan: {} },
      ],
    });
  });

  it.each([
    ['text', 'keys'],
    ['nothing', {}],
    ['no keys', { keys: [] }],
    ['an unknown field', { keys: [{ ...key, requestPerMinute: 1 }] }],
    ['a key that is not hashed', { keys: [{ name: 'wallet', sha256: 'my-secret-key' }] }],
    ['a name twice', { keys: [key, { name: 'Wallet', sha256: other }] }],
    ['a key twice', { keys: [key, { name: 'b', sha256: sha256.toUpperCase() }] }],
    ['a limit of nothing', { keys: [{ ...key, requestsPerMinute: 0 }] }],
    ['heights that are none', { keys: [{ ...key, heights: 'some' }] }],
    ['a method that is none', { keys: [{ ...key, methods: ['a b'] }] }],
    ['a day without a time', { keys: [{ ...key, expires: '2027-01-01' }] }],
  ])('is refused with %s, in words that do not repeat it', (_, json) => {
    const answer = read(json);
    expect(answer).toHaveProperty('problem');
    expect(JSON.stringify(answer)).not.toMatch(/my-secret-key|abab/);
  });

  it('is refused when it is no JSON', () => {
    expect(readKeyFile('{')).toEqual({ problem: 'is not JSON' });
  });

  it.each<[string, Record<string, unknown>, StartChecks, string]>([
    [
      'a method that is none',
      { methods: ['a.B', 'a.C/D'] },
      { isServed: (name) => name === 'a.B' },
      'methods.1: there is no a.C/D here',
    ],
    ['heights that end before they begin', { heights: '9-5' }, {}, 'heights: end before they begin'],
    [
      'an expiry that is over',
      { expires: '2026-01-01T00:00:00Z' },
      { nowMs: Date.UTC(2026, 0, 1) },
      'expires: is over',
    ],
    ['a list that is none', { methods: 'a.B' }, {}, 'methods: must be a list'],
    ['a number that is none', { pageLimit: '10' }, {}, 'pageLimit: must be a number'],
    ['a number that is not whole', { pageLimit: 1.5 }, {}, 'pageLimit: must be a whole number'],
    ['a time that is none', { expires: 'soon' }, {}, 'expires: must be a time such as'],
  ])('with %s is refused with its line', (_, plan, checks, problem) => {
    const text = JSON.stringify({ keys: [key, { name: 'b', sha256: other, ...plan }] }, undefined, 1);
    const read = readKeyFile(text, checks);
    const field = Object.keys(plan)[0] ?? '';
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.includes(`"${field}"`)) + (problem.startsWith('methods.1') ? 3 : 1);
    expect(read).toEqual({ problem: expect.stringContaining(`line ${at}: keys.1.${problem}`) });
  });

  it('that is read again later may have a key that expired meanwhile', () => {
    expect(read({ keys: [{ ...key, expires: '2020-01-01T00:00:00Z' }] })).toHaveProperty('keys');
  });
});

import { describe, expect, it } from 'vitest';
import { bind, bound, listRequest } from '../../test/bind-everything.js';
import type { RequestRule } from './request-rule.js';

function violation(query: string): unknown {
  const result = bind({ query });
  return 'violations' in result ? result.violations[0]?.description : result;
}

describe('binding a query', () => {
  it('accepts proto names and JSON names at every level', () => {
    expect(bound({ query: 'leaf.label=a&leaf.colour=COLOUR_RED&otherName=b&int32Value=1' })).toEqual({
      leaf: { label: 'a', colour: 'COLOUR_RED' },
      renamed: 'b',
      int32_value: 1,
    });
  });

  it('adds repeats to a list and does not split at commas', () => {
    expect(bound({ query: 'names=a,b&names=c&colours=5&colours=COLOUR_RED&longs=7&longs=8' })).toEqual({
      names: ['a,b', 'c'],
      colours: ['COLOUR_BLUE', 'COLOUR_RED'],
      longs: ['7', '8'],
    });
  });

  it('accepts the empty brackets that HTTP clients add to the name of a list', () => {
    expect(bound({ query: 'names[]=a&names%5B%5D=b&names=c' })).toEqual({ names: ['a', 'b', 'c'] });
  });

  it('accepts the messages with a text form', () => {
    const query =
      'at=2021-01-01T02:00:00.5%2B02:00&lasting=-1.5s&mask=leaf.label,int32Value,float_value&record={"a":[1,null]}&maybe_long=0&maybe_flag=f';
    expect(bound({ query })).toEqual({
      at: '2021-01-01T00:00:00.500Z',
      lasting: '-1.500s',
      mask: 'leaf.label,int32Value,floatValue',
      record: { a: [1, null] },
      maybe_long: '0',
      maybe_flag: false,
    });
  });

  it('accepts entries of maps, with keys of every kind', () => {
    expect(bound({ query: 'by_name[a.b]=1&by_name[]=2&by_number[-5]=x&tree.id=t' })).toEqual({
      by_name: { 'a.b': 1, '': 2 },
      by_number: { '-5': 'x' },
      tree: { id: 't' },
    });
  });

  it.each([
    ['int32_value=1&int32_value=1', 'is given more than once'],
    ['int32_value=1&int32Value=2', 'is given more than once'],
    ['by_name[a]=1&by_name[a]=2', 'is given more than once'],
    ['chosen_text=a&chosen_number=1', 'cannot be given together with chosen_text'],
    ['chosen_text=a&chosen_leaf.label=b', 'cannot be given together with chosen_text'],
    ['colour=GREEN', 'must be one of COLOUR_UNSPECIFIED, COLOUR_RED, COLOUR_BLUE'],
    ['colour=2', 'must be one of COLOUR_UNSPECIFIED, COLOUR_RED, COLOUR_BLUE'],
    ['int32_value=', 'must be a whole number'],
    ['leaf=x', 'is a message: name one of its fields'],
    ['many_leaves.label=x', 'many_leaves is a list or a map'],
    ['int32_value.x=1', 'int32_value has no fields of its own'],
    ['by_name=1', 'a map is given as name[key]=value'],
    ['names[0]=1', 'names is not a map'],
    ['by_number[x]=1', 'has a key that must be a whole number'],
    ['by_truth[true]=1', 'is a message: name one of its fields'],
    ['at=yesterday', 'must be a time such as 2021-01-01T02:00:00Z'],
    ['at=0000-01-01T00:00:00Z', 'must be a time such as 2021-01-01T02:00:00Z'],
    ['lasting=1m', 'must be a duration in seconds such as 1.5s'],
    ['record=[1]', 'must be JSON of the right kind'],
    ['payload=x', 'is a message: name one of its fields'],
  ])('refuses %s: %s', (query, description) => {
    expect(violation(query)).toBe(description);
  });

  it('names every problem at once', () => {
    const result = bind({ query: 'int32_value=x&bool_value=maybe&names=fine' });
    expect('violations' in result && result.violations.map(({ field }) => field)).toEqual([
      'int32_value',
      'bool_value',
    ]);
  });

  it('ignores unknown parameters, or refuses them if configured', () => {
    expect(bind({ query: 'nope=1&leaf.nope=2&nope=3' })).toMatchObject({ ignored: ['nope', 'leaf.nope'] });
    expect(bound({ query: 'nope=1', unknownQuery: 'reject' })).toEqual([
      { field: 'nope', description: 'is not a parameter of this method' },
    ]);
  });
});

describe('binding a path', () => {
  it('splits a list at its commas, and adds nothing else to it', () => {
    const path = [['longs', '1,2,18']] as const;
    expect(bound({ path, rule: '*', body: '{"longs":["7"]}' })).toEqual({ longs: ['1', '2', '18'] });
    expect(bound({ path, query: 'longs=9' })).toEqual({ longs: ['1', '2', '18'] });
    expect(bound({ path: [['longs', '1,x']] })).toEqual([{ field: 'longs', description: 'must be a whole number' }]);
  });

  it('is never overridden by the query, under either name', () => {
    const path = [['leaf.label', 'path']] as const;
    expect(bound({ path, query: 'leaf.label=query&leaf.colour=1' })).toEqual({
      leaf: { label: 'path', colour: 'COLOUR_RED' },
    });
    expect(bound({ path: [['int32_value', '1']], query: 'int32Value=2' })).toEqual({ int32_value: 1 });
    expect(bound({ path: [['renamed', 'a']], query: 'otherName=b&renamed=c' })).toEqual({ renamed: 'a' });
  });

  it('is parsed by the type of its field', () => {
    expect(
      bound({
        path: [
          ['colour', '5'],
          ['at', '2021-01-01T00:00:00Z'],
        ],
      }),
    ).toEqual({
      colour: 'COLOUR_BLUE',
      at: '2021-01-01T00:00:00Z',
    });
    expect(bound({ path: [['int64_value', 'nan']] })).toEqual([
      { field: 'int64_value', description: 'must be a whole number' },
    ]);
  });

  it('has precedence over a oneof member in the query', () => {
    expect(violationWith([['chosen_text', 'a']], 'chosen_number=1')).toBe('cannot be given together with chosen_text');
  });
});

function violationWith(path: readonly (readonly [string, string])[], query: string): unknown {
  const result = bind({ path, query });
  return 'violations' in result ? result.violations[0]?.description : result;
}

describe('binding a body', () => {
  it('preserves the type names of an Any, at any depth', () => {
    const leaf = (url: string) => ({ '@type': `${url}everything.v1.Leaf`, label: 'a' });
    for (const url of ['/', 'type.googleapis.com/', 'chain.example/']) {
      const inner = { '@type': `${url}everything.v1.Everything`, payload: leaf(url) };
      const result = bind({ rule: '*', body: JSON.stringify({ payload: inner }) });
      const text = 'bytes' in result ? Buffer.from(result.bytes).toString('latin1') : '';
      expect(text.split(`${url}everything.v1.`)).toHaveLength(3);
      expect(text.includes('googleapis')).toBe(url.includes('googleapis'));
    }
  });

  it('fills the whole message, with precedence for the path', () => {
    const body = '{"stringValue":"body","int64_value":9007199254740993,"names":["0.12345678901234567"]}';
    expect(bound({ rule: '*', body, path: [['string_value', 'path']], query: 'int32_value=1' })).toEqual({
      string_value: 'path',
      int64_value: '9007199254740993',
      names: ['0.12345678901234567'],
    });
  });

  it('keeps numbers with a fraction unchanged', () => {
    expect(bound({ rule: '*', body: '{"numbers":[0.1234567890123456,12345678901234567.5,1e21]}' })).toEqual({
      numbers: [0.1234567890123456, 12345678901234568, 1e21],
    });
  });

  it('fills one field and takes the rest from the query, which cannot change that field', () => {
    expect(bound({ rule: 'leaf', body: '{"label":"a"}', query: 'leaf.label=b&names=n' })).toEqual({
      leaf: { label: 'a' },
      names: ['n'],
    });
    expect(bound({ rule: 'names', body: '["a","b"]' })).toEqual({ names: ['a', 'b'] });
  });

  it('lets a path variable replace another member of its oneof', () => {
    expect(bound({ rule: '*', body: '{"chosenNumber":"1"}', path: [['chosen_text', 'a']] })).toEqual({
      chosen_text: 'a',
    });
  });

  it('may be empty', () => {
    expect(bound({ rule: '*' })).toEqual({});
  });

  it.each([
    '{ "a" : ',
    '"text"',
    '[]',
    '{"int32_value":"x"}',
    '{"int32_value":1.5}',
    '{"chosenText":"a","chosenNumber":"1"}',
    '\uFEFF{}x',
  ])('refuses %s', (body) => {
    expect(bind({ rule: '*', body })).toHaveProperty('violations');
  });

  it('refuses deep nesting, also if incomplete, ignoring brackets in strings', () => {
    const violations = [{ field: 'body', description: 'is nested deeper than 100 levels' }];
    for (const body of ['['.repeat(1_000_000), `${'{"leaf":'.repeat(101)}{}${'}'.repeat(101)}`]) {
      expect(bind({ rule: '*', body })).toEqual({ violations });
    }
    const stringValue = `\\"${'[{'.repeat(200)}`;
    expect(bound({ rule: '*', body: JSON.stringify({ stringValue }) })).toEqual({ string_value: stringValue });
  });

  it('refuses too many keys and values, not counting commas in texts', () => {
    const violations = [{ field: 'body', description: 'has more than 20000 keys and values' }];
    const list = (count: number) => `{"names":[${'"",'.repeat(count)}""]}`;
    const keys = Array.from({ length: 10_000 }, (_, at) => `"${at}":[]`).join();
    for (const body of [list(20_000), `{${keys}}`]) expect(bind({ rule: '*', body })).toEqual({ violations });
    expect(bound({ rule: '*', body: list(19_997) })).toHaveProperty('names.length', 19_998);
    const stringValue = '{,:['.repeat(10_000);
    expect(bound({ rule: '*', body: JSON.stringify({ stringValue }) })).toEqual({ string_value: stringValue });
  });

  it('refuses a number that is too long to parse, but takes every digit of a double', () => {
    const violations = [{ field: 'body', description: 'has a number of more than 2000 characters' }];
    const number = (digits: string) => `{"doubleValue":${digits}}`;
    for (const digits of ['9'.repeat(2001), `-1.${'0'.repeat(2000)}e5`]) {
      expect(bind({ rule: '*', body: number(digits) })).toEqual({ violations });
    }
    expect(bound({ rule: '*', body: number(`0.5${'0'.repeat(1074)}`) })).toEqual({ double_value: 0.5 });
    const stringValue = '9'.repeat(3000);
    expect(bound({ rule: '*', body: JSON.stringify({ stringValue }) })).toEqual({ string_value: stringValue });
  });

  it('refuses a hostile text in linear time', () => {
    expect(bind({ rule: '*', body: `"${'\\"'.repeat(400_000)}` })).toHaveProperty('violations');
  });

  it('names the field and hides the refused value', () => {
    expect(bound({ rule: '*', body: '{"int32_value":"s3cret"}' })).toEqual([
      { field: 'int32_value', description: 'must be a whole number of 32 bits' },
    ]);
  });

  it('treats unknown fields like unknown parameters', () => {
    expect(bound({ rule: '*', body: '{"nope":1}' })).toEqual({});
    expect(bind({ rule: '*', body: '{"nope":1}', unknownQuery: 'reject' })).toHaveProperty('violations');
  });
});

describe('rules', () => {
  const rule: RequestRule = {
    concerns: (desc) => desc === listRequest,
    apply(message) {
      if (message['owner'] === 'nobody') return [{ field: 'owner', description: 'must be somebody' }];
      message['owner'] = String(message['owner']).toUpperCase();
      return [];
    },
  };

  it('change requests, and refuse them', () => {
    expect(bound({ input: listRequest, query: 'owner=a', rules: [rule] })).toEqual({ owner: 'A' });
    expect(bound({ input: listRequest, query: 'owner=nobody', rules: [rule] })).toEqual([
      { field: 'owner', description: 'must be somebody' },
    ]);
  });

  it('are not called for other or unreadable requests', () => {
    expect(bound({ query: 'string_value=a', rules: [rule] })).toEqual({ string_value: 'a' });
    expect(bound({ input: listRequest, query: 'owner=nobody&pagination.limit=x', rules: [rule] })).toEqual([
      { field: 'pagination.limit', description: 'must be a whole number' },
    ]);
  });
});

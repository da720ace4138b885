import { builtInRegistry, everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import { describe, expect, it } from 'vitest';
import { replyHeaders, takeHeight } from './heights.js';

const listRequest = messageOf(everythingRegistry(), 'everything.v1.ListRequest');

describe('takeHeight', () => {
  it('takes the height and leaves other parameters, in order', () => {
    const query = [
      ['owner', 'a'],
      ['height', '12'],
      ['nope', '1'],
    ] as const;
    expect(takeHeight(query, listRequest)).toEqual({ height: '12', rest: [query[0], query[2]] });
    expect(takeHeight([['owner', 'a']], listRequest)).toEqual({ height: undefined, rest: [['owner', 'a']] });
  });

  it.each([[['-1']], [['1'.repeat(19)]], [['']], [['1', '1']]])('refuses %j', (values) => {
    const query = values.map((value): [string, string] => ['height', value]);
    expect(takeHeight(query, listRequest)).toHaveProperty('violations.0.field', 'height');
  });

  it('yields to a field of the request with that name', () => {
    const block = messageOf(builtInRegistry(), 'cosmos.base.tendermint.v1beta1.GetBlockByHeightRequest');
    expect(takeHeight([['height', 'x']], block)).toEqual({ height: undefined, rest: [['height', 'x']] });
  });
});

describe('replyHeaders', () => {
  it('returns the height under its own name and as metadata', () => {
    const headers = replyHeaders([['x-cosmos-block-height', '12']]);
    expect(Object.fromEntries(headers)).toEqual({
      'grpc-metadata-x-cosmos-block-height': ['12'],
      'x-cosmos-block-height': ['12'],
    });
    expect(replyHeaders([['x-cosmos-block-height', 'x']]).has('x-cosmos-block-height')).toBe(false);
  });

  it('reserves space for the height with any other metadata', () => {
    const chatter = Array.from({ length: 5000 }, (_, at): [string, string] => [`n${at % 7}`, 'x'.repeat(90)]);
    const headers = replyHeaders([...chatter, ['x-cosmos-block-height', '12']]);
    expect(headers.get('x-cosmos-block-height')).toEqual(['12']);
  });
});

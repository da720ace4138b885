import { describe, expect, it } from 'vitest';
import { callTo } from './chain-node.contract.js';
import { keyOfCall } from './chain-node.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const keyOf = (request: string, metadata: readonly (readonly [string, string | Uint8Array])[] = []) =>
  keyOfCall(callTo('Echo', { request: bytes(request), metadata })).text;

describe('the key of a call', () => {
  it('differs if request bytes look like metadata', () => {
    expect(keyOf('a\nauthorization\nb')).not.toBe(keyOf('a', [['authorization', 'b']]));
    expect(keyOf('a\n7')).not.toBe(keyOf('a', [['x-cosmos-block-height', '7']]));
    expect(keyOf('')).not.toBe(keyOf('\n'));
  });

  it('differs if one value looks like two', () => {
    expect(keyOf('', [['a', 'b\nc\nd']])).not.toBe(
      keyOf('', [
        ['a', 'b'],
        ['c', 'd'],
      ]),
    );
    expect(
      keyOf('', [
        ['a', 'b'],
        ['a', 'c'],
      ]),
    ).not.toBe(keyOf('', [['a', 'b\na\nc']]));
  });

  it('is the same for all spellings of a height and all callers', () => {
    expect(
      keyOf('a', [
        ['x-cosmos-block-height', '007'],
        ['x-forwarded-for', '192.0.2.1'],
      ]),
    ).toBe(keyOf('a', [['x-cosmos-block-height', '7']]));
  });
});

import { describe, expect, it } from 'vitest';
import { callTo } from './chain-node.contract.js';
import { keyOfCall } from './chain-node.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const keyOf = (request: string, metadata: readonly (readonly [string, string | Uint8Array])[] = []) =>
  keyOfCall(callTo('Echo', { request: bytes(request), metadata })).text;

describe('the key of a call', () => {
  it('is another one where the request says what metadata would', () => {
    expect(keyOf('a\nauthorization\nb')).not.toBe(keyOf('a', [['authorization', 'b']]));
    expect(keyOf('a\n7')).not.toBe(keyOf('a', [['x-cosmos-block-height', '7']]));
    expect(keyOf('')).not.toBe(keyOf('\n'));
  });

  it('is another one where one value says what two would', () => {
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

  it('is the same for every spelling of a height, and whoever asks', () => {
    expect(
      keyOf('a', [
        ['x-cosmos-block-height', '007'],
        ['x-forwarded-for', '192.0.2.1'],
      ]),
    ).toBe(keyOf('a', [['x-cosmos-block-height', '7']]));
  });
});

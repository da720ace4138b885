import { describe, expect, it } from 'vitest';
import { parseNodeTarget } from './targets.js';

describe('a node target', () => {
  it.each([
    ['node.example:9090', 'node.example:9090', undefined, undefined],
    ['[::1]:9090@5000001-', '[::1]:9090', 5_000_001n, undefined],
    ['archive:9090@1-5000000', 'archive:9090', 1n, 5_000_000n],
    ['archive:9090@-5000000', 'archive:9090', undefined, 5_000_000n],
    ['chain_node:9090', 'chain_node:9090', undefined, undefined],
    ['node:65535', 'node:65535', undefined, undefined],
    ['one:9090@7-7', 'one:9090', 7n, 7n],
  ])('%s is read', (text, address, from, to) => {
    expect(parseNodeTarget(text)).toEqual({ address, heights: { from, to } });
  });

  it.each([
    'node',
    'node:',
    'node:0',
    'node:65536',
    'node:99999',
    '[::1::]:9090',
    'node:1@',
    'node:1@5',
    'node:1@5-4',
    'node:1@-0',
    'node:1@a-b',
    'node:1@1--2',
    'node:1@1-2@3-4',
    'http://node:1',
  ])('%s is none', (text) => {
    expect(parseNodeTarget(text)).toBeUndefined();
  });
});

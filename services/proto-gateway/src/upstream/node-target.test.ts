import { describe, expect, it } from 'vitest';
import { covers, parseNodeTarget } from './node-target.js';

describe('a node target', () => {
  it.each([
    ['node.example:9090', 'node.example:9090', undefined, undefined],
    ['[::1]:9090@5000001-', '[::1]:9090', 5_000_001n, undefined],
    ['archive:9090@1-5000000', 'archive:9090', 1n, 5_000_000n],
    ['archive:9090@-5000000', 'archive:9090', undefined, 5_000_000n],
    ['one:9090@7-7', 'one:9090', 7n, 7n],
  ])('%s is read', (text, address, from, to) => {
    expect(parseNodeTarget(text)).toEqual({ address, heights: { from, to } });
  });

  it.each([
    'node',
    'node:',
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

describe('a range of heights', () => {
  it('has both of its ends, and the latest block only where it has no end', () => {
    const closed = { from: 5n, to: 9n };
    expect([4n, 5n, 9n, 10n].map((height) => covers(closed, height))).toEqual([false, true, true, false]);
    expect(covers(closed, undefined)).toBe(false);
    expect(covers({ from: 5n, to: undefined }, undefined)).toBe(true);
    expect(covers({ from: undefined, to: 9n }, 1n)).toBe(true);
  });
});

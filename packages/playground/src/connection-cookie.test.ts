import { describe, expect, it } from 'vitest';
import { connectionOf, newConnectionCookie } from './connections.js';

describe('the connection cookie', () => {
  it('is found among others, unchanged', () => {
    const [pair = ''] = newConnectionCookie().split(';');
    expect(connectionOf(`theme=dark; ${pair}; x=1`)).toBe(pair.slice('line='.length));
  });

  it.each([undefined, '', 'line=', 'line=../../etc', 'offline=0b7b3a2e-8f3e-4f6e-9a55-6d1f7f0e8a11'])(
    'is none in %j',
    (header) => {
      expect(connectionOf(header)).toBeUndefined();
    },
  );
});

import { expect, it } from 'vitest';
import { randomId } from './session-secrets.js';

it('makes names of 128 bits, of which no two are alike', () => {
  const ids = Array.from({ length: 10_000 }, randomId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
});

import { expect, it } from 'vitest';
import { randomId } from './session-secrets.js';

it('makes unique names of 128 bits', () => {
  const ids = Array.from({ length: 10_000 }, randomId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
});

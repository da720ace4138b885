import { expect, it } from 'vitest';
import { attemptAll } from './attempt-all.js';

it('runs every step in order, and rejects with the first failure', async () => {
  const ran: string[] = [];
  const step = (name: string, error?: Error) => async () => {
    ran.push(name);
    if (error !== undefined) throw error;
  };
  const [first, second] = [new Error('first'), new Error('second')];
  await expect(attemptAll([step('a', first), step('b'), step('c', second), step('d')])).rejects.toBe(first);
  expect(ran).toEqual(['a', 'b', 'c', 'd']);
  await attemptAll([step('e')]);
  await attemptAll([]);
  expect(ran.at(-1)).toBe('e');
});

it('counts a step that throws before its promise as failed', async () => {
  let hasRun = false;
  const failing = () => {
    throw new Error('at once');
  };
  const after = async () => {
    hasRun = true;
  };
  await expect(attemptAll([failing, after])).rejects.toThrow('at once');
  expect(hasRun).toBe(true);
});

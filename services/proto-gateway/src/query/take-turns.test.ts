import { expect, it } from 'vitest';
import { takeTurns } from './take-turns.js';

it('lets each go on in a turn of the event loop of its own', async () => {
  const turn = takeTurns();
  const seen: string[] = [];
  const loop = (): void => {
    seen.push('loop');
    if (seen.length < 20) setImmediate(loop);
  };
  setImmediate(loop);
  await Promise.all(['a', 'b', 'c'].map((name) => turn().then(() => seen.push(name))));
  expect(seen.join(' ')).toMatch(/a( loop)+ b( loop)+ c/);
});

import { expect, it } from 'vitest';
import { fanOutInSlices } from './fan-out.js';

it('concurrent fan-outs share the event loop turns, and each completes', async () => {
  const fanOut = fanOutInSlices();
  const reported: string[] = [];
  let inTurn = 0;
  let most = 0;
  let isOver = false;
  const turn = (): void => {
    most = Math.max(most, inTurn);
    inTurn = 0;
    if (!isOver) setImmediate(turn);
  };
  turn();
  const report = (name: string) =>
    fanOut(Array(150).keys(), () => {
      inTurn += 1;
      reported.push(name);
    });
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(report));
  isOver = true;
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(200);
  expect(reported.join('')).toBe([...'abcde'].map((name) => name.repeat(150)).join(''));
});

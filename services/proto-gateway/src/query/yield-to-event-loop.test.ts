import { expect, it } from 'vitest';
import { yieldToEventLoop } from './yield-to-event-loop.js';

const MUCH = 1024 * 1024;

it('runs some work at once, then one piece per turn of the event loop', async () => {
  let clock = 0;
  const turn = yieldToEventLoop(() => clock);
  const seen: string[] = [];
  const loop = (): void => {
    seen.push('loop');
    if (seen.length < 20) setImmediate(loop);
  };
  setImmediate(loop);
  const work = async (name: string): Promise<void> => {
    const wait = turn(MUCH);
    if (wait !== undefined) await wait;
    seen.push(name);
    clock += 6;
  };
  await Promise.all(['a', 'b', 'c', 'd'].map(work));
  // New work does not overtake waiting work.
  expect(turn(MUCH)).toBeUndefined();
  expect(seen.join(' ')).toMatch(/^a b( loop)+ c( loop)+ d/);
});

it('does not delay small work', () => {
  let clock = 0;
  const turn = yieldToEventLoop(() => clock);
  expect(turn(MUCH)).toBeUndefined();
  clock = 1000;
  expect(turn(MUCH)).toBeInstanceOf(Promise);
  expect(turn(1000)).toBeUndefined();
});

import { expect, it } from 'vitest';
import { shedStartMemory } from './shed-start-memory.js';

it('gives back what was made for a start and is not held any more', async () => {
  const heapMb = () => process.memoryUsage().heapTotal / 2 ** 20;
  let made: string[][] | undefined = Array.from({ length: 200_000 }, (_, at) => [`one ${at}`, `two ${at}`]);
  const withAll = heapMb();
  expect(made.length).toBe(200_000);
  made = undefined;
  await shedStartMemory();
  expect(withAll - heapMb()).toBeGreaterThan(15);
});

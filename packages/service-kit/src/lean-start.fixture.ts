/** A process for the test of a lean start: the same work while it starts and after, and the room for young objects before and after its end. */
import { getHeapSpaceStatistics } from 'node:v8';
import { endLeanStart, startLean } from './lean-start.js';

const kept: unknown[] = [];
let sum = 0;

function atStart(from: number): void {
  for (let count = from; count < from + 100; count++) sum += count % 7;
}

function atWork(from: number): void {
  for (let count = from; count < from + 100; count++) sum += count % 7;
}

const youngBytes = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size;

startLean();
for (let time = 0; time < 50_000; time++) atStart(time);
for (let time = 0; time < 300_000; time++) kept.push({ time });
const before = youngBytes();
await endLeanStart();
const after = youngBytes();
for (let time = 0; time < 50_000; time++) atWork(time);
process.stderr.write(`${JSON.stringify({ sum, kept: kept.length, before, after })}\n`);

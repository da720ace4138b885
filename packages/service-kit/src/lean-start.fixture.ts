/** A process for the test of a lean start: the same work while it starts and after. */
import { runAtFullSpeed, startLean } from './lean-start.js';

let sum = 0;

function atStart(from: number): void {
  for (let count = from; count < from + 100; count++) sum += count % 7;
}

function atWork(from: number): void {
  for (let count = from; count < from + 100; count++) sum += count % 7;
}

startLean();
for (let time = 0; time < 50_000; time++) atStart(time);
runAtFullSpeed();
for (let time = 0; time < 50_000; time++) atWork(time);
process.stderr.write(`${sum}\n`);

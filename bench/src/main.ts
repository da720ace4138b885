/** Measures each slice beside the floor, in alternating rounds of one run, and prints the ratios. */
import { fileURLToPath } from 'node:url';
import { startAnnouncedChild } from './child-process.js';
import { best, type Measurement, measure } from './measure.js';
import { report } from './report.js';
import { startSubjects } from './subjects.js';

const rounds = 3;

const floor = await startAnnouncedChild(fileURLToPath(new URL('./floor.js', import.meta.url)));
const { subjects, stop } = await startSubjects();
try {
  const rows = [];
  for (const subject of subjects) {
    const onFloor: Measurement[] = [];
    const onSubject: Measurement[] = [];
    const warmUp = Math.ceil(subject.amount / 4);
    await measure(floor, subject.floorRequest, warmUp);
    await measure(subject.process, subject.request, warmUp);
    for (let round = 0; round < rounds; round++) {
      onFloor.push(await measure(floor, subject.floorRequest, Math.max(subject.amount, 5000)));
      onSubject.push(await measure(subject.process, subject.request, subject.amount));
    }
    rows.push({ name: subject.name, floor: best(onFloor), subject: best(onSubject) });
    process.stderr.write(`measured: ${subject.name}\n`);
  }
  process.stdout.write(`${report(rows)}\n`);
  const failed = rows.some((row) => row.floor.failed + row.subject.failed > 0);
  if (failed) process.exitCode = 1;
} finally {
  await stop();
  await floor.stop();
}

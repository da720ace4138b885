import type { Measurement } from './measure.js';

export interface Row {
  readonly name: string;
  readonly floor: Measurement;
  readonly subject: Measurement;
}

/** A table in Markdown: each slice, its floor, and the ratio of their CPU per request. */
export function report(rows: readonly Row[]): string {
  const lines = rows.map(({ name, floor, subject }) =>
    [
      name,
      floor.cpuUs.toFixed(0),
      subject.cpuUs.toFixed(0),
      (subject.cpuUs / floor.cpuUs).toFixed(1),
      subject.requestsPerSecond.toFixed(0),
      subject.p99Ms.toFixed(0),
      String(floor.failed + subject.failed),
    ].join(' | '),
  );
  const head = ['slice', 'floor µs', 'slice µs', 'ratio', 'requests/s', 'p99 ms', 'failed'];
  return [head.join(' | '), head.map(() => '---').join(' | '), ...lines].map((line) => `| ${line} |`).join('\n');
}

import { readFileSync } from 'node:fs';
import { cpuTimeUs } from './child-process.js';
import type { StreamReading } from './read-stream.js';

/** Resident memory of a process, in MB (Linux, from its status file). */
export function residentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

/** What came of reading many streams of one process at once. */
export interface StreamFigures {
  readonly name: string;
  readonly readings: readonly StreamReading[];
  readonly cpuUsPerFrame: number;
  readonly residentMb: number;
  readonly seconds: number;
}

/** Reads streams, and measures the process that they come from meanwhile. */
export async function measureStreams(
  name: string,
  pid: number,
  read: () => Promise<StreamReading[]>,
): Promise<StreamFigures> {
  const [cpuBefore, startedAt] = [cpuTimeUs(pid), performance.now()];
  let peak = residentMb(pid);
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMb(pid));
  }, 250);
  const readings = await read();
  clearInterval(watch);
  const frames = readings.reduce((sum, reading) => sum + reading.frames, 0);
  const cpuUsPerFrame = (cpuTimeUs(pid) - cpuBefore) / frames;
  return { name, readings, cpuUsPerFrame, residentMb: peak, seconds: (performance.now() - startedAt) / 1000 };
}

export const figureNames = [
  '',
  'complete',
  'frames',
  'seconds',
  'first text p50 ms',
  'p99 ms',
  'CPU µs a frame',
  'RSS MB at most',
];

export function figuresOf({ name, readings, cpuUsPerFrame, residentMb: peak, seconds }: StreamFigures): string[] {
  const firsts = readings.map(({ firstMs }) => firstMs).toSorted((one, other) => one - other);
  const at = (share: number) =>
    (firsts[Math.min(firsts.length - 1, Math.floor(firsts.length * share))] ?? 0).toFixed(0);
  const complete = readings.filter(({ status, isComplete }) => status === 200 && isComplete).length;
  const frames = readings.reduce((sum, reading) => sum + reading.frames, 0);
  return [
    name,
    `${complete} of ${readings.length}`,
    String(frames),
    seconds.toFixed(1),
    at(0.5),
    at(0.99),
    cpuUsPerFrame.toFixed(1),
    String(peak),
  ];
}

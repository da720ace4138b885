import { cpuTimeUs } from './child-process.js';
import type { StreamReading } from './read-stream.js';
import { residentMb } from './resident-mb.js';

/** What came of reading many streams of one process at once. */
export interface StreamRound {
  readonly readings: readonly StreamReading[];
  readonly frames: number;
  readonly cpuUs: number;
  readonly residentMb: number;
  readonly seconds: number;
}

/** Reads streams, and measures the process that they come from meanwhile. */
export async function measureRound(pid: number, read: () => Promise<StreamReading[]>): Promise<StreamRound> {
  const [cpuBefore, startedAt] = [cpuTimeUs(pid), performance.now()];
  let peak = residentMb(pid);
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMb(pid));
  }, 250);
  const readings = await read();
  clearInterval(watch);
  const frames = readings.reduce((sum, reading) => sum + reading.frames, 0);
  const seconds = (performance.now() - startedAt) / 1000;
  return { readings, frames, cpuUs: cpuTimeUs(pid) - cpuBefore, residentMb: peak, seconds };
}

/** The same streams with one word each, which is what a stream costs to begin and to end, and with many. */
export interface StreamFigures {
  readonly name: string;
  readonly short: StreamRound;
  readonly long: StreamRound;
  /** Whether all streams of all rounds came to their end. */
  readonly isComplete: boolean;
}

const countedRounds = 2;

/** Rounds of both kinds that are measured by `measureStreams`, those that are not counted included. */
export const roundsOfAll = 1 + 2 * countedRounds;

/**
 * Streams of one word once for nothing, so that code is compiled; then two rounds of each kind, of which the cheaper one
 * counts, since noise only adds.
 */
export async function measureStreams(
  name: string,
  pid: number,
  read: (words: number) => Promise<StreamReading[]>,
  words: number,
): Promise<StreamFigures> {
  const rounds = [await measureRound(pid, () => read(1))];
  const cheaperOf = async (count: number): Promise<StreamRound> => {
    const measured: StreamRound[] = [];
    for (let round = 0; round < countedRounds; round++) measured.push(await measureRound(pid, () => read(count)));
    rounds.push(...measured);
    // One in which streams broke is cheap, and says nothing.
    const whole = measured.filter(isWhole);
    return (whole.length > 0 ? whole : measured).reduce((one, other) => (other.cpuUs < one.cpuUs ? other : one));
  };
  const [short, long] = [await cheaperOf(1), await cheaperOf(words)];
  return { name, short, long, isComplete: rounds.every(isWhole) };
}

export function isWhole({ readings }: StreamRound): boolean {
  return readings.every(({ status, isComplete }) => status === 200 && isComplete);
}

/** What a further frame may cost beside that of the bare route, at most. */
const targetRatio = 3;

/** In words: what a further frame costs beside that of the bare route, and whether that is at most the target. */
export function verdictOf(figures: StreamFigures, floor: StreamFigures): string {
  const further = frameUs(figures) / frameUs(floor);
  const inAll = wholeUs(figures) / wholeUs(floor);
  const holds = further <= targetRatio ? 'holds' : 'DOES NOT HOLD';
  return (
    `${figures.name}: a further frame costs ${further.toFixed(1)} times that of the bare route, ` +
    `at most ${targetRatio.toFixed(1)} ${holds}, at ${framesARead(figures)} frames a read; with the beginning and end of its turn ${inAll.toFixed(1)} times`
  );
}

/** CPU time of one more frame in a stream that is under way, in µs. */
function frameUs({ short, long }: StreamFigures): number {
  return (long.cpuUs - short.cpuUs) / (long.frames - short.frames);
}

/** CPU time of the whole of the long streams, for each of their frames, in µs. */
function wholeUs({ long }: StreamFigures): number {
  return long.cpuUs / long.frames;
}

export const figureNames = [
  '',
  'complete',
  'frames',
  'frames a read',
  'MB',
  'seconds',
  'first frame p50 ms',
  'p99',
  'first text p50 ms',
  'p99',
  'RSS MB at most',
  'CPU µs a stream of one word',
  'CPU µs a further frame',
  'to bare',
  'CPU µs a frame in all',
  'to bare',
];

export function figuresOf(figures: StreamFigures, floor: StreamFigures): string[] {
  const { name, short, long } = figures;
  const { readings } = long;
  const complete = readings.filter((reading) => reading.status === 200 && reading.isComplete).length;
  const megabytes = readings.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  return [
    name,
    `${complete} of ${readings.length}`,
    String(long.frames),
    framesARead(figures),
    megabytes.toFixed(1),
    long.seconds.toFixed(1),
    ...atShares(readings.map(({ firstFrameMs }) => firstFrameMs)),
    ...atShares(readings.map(({ firstTextMs }) => firstTextMs)),
    String(Math.max(short.residentMb, long.residentMb)),
    (short.cpuUs / short.readings.length).toFixed(0),
    frameUs(figures).toFixed(1),
    (frameUs(figures) / frameUs(floor)).toFixed(1),
    wholeUs(figures).toFixed(1),
    (wholeUs(figures) / wholeUs(floor)).toFixed(1),
  ];
}

/** More than one where frames were sent together, because something did not keep up. */
function framesARead({ long }: StreamFigures): string {
  return (long.frames / long.readings.reduce((sum, { pieces }) => sum + pieces, 0)).toFixed(1);
}

function atShares(times: readonly number[]): string[] {
  const sorted = times.toSorted((one, other) => one - other);
  return [0.5, 0.99].map((share) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0));
}

import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Child, type Placement, startAnnouncedChild } from '../child-process.js';
import { Latencies } from '../latencies.js';
import { readStream, type StreamReading } from '../read-stream.js';
import { residentMb } from '../resident-mb.js';
import { isWhole, measureRound, type StreamRound } from '../stream-figures.js';
import { countTurn } from './count-turn.js';
import { FramesUnderWay } from './frames-under-way.js';
import { Pairs } from './pairs.js';
import { type Row, ratioRow, valueRow } from './row.js';
import type { Stores } from './start-service.js';
import { askAll, paceMs, sessionsOf, startOracle } from './turn-scene.js';

const streams = 200;
const words = 20;
const mostAttempts = 5;
const askAgainMs = 1000;
const goals = { turnMs: 2, statements: 4, trips: 2, frame: 2.5, firstFrameMs: 100, idleMb: 90 };

export async function turnRows(stores: Stores, placement: Placement): Promise<Row[]> {
  const oracle = await startOracle(stores, placement);
  const bare = await startAnnouncedChild(
    fileURLToPath(new URL('../oracle-floor.js', import.meta.url)),
    {},
    { core: placement.core },
  );
  try {
    const idleMb = residentMb(oracle.pid);
    const sessions = await sessionsOf(oracle, streams);
    const pairs = await Pairs.play(
      async () => ({
        ...(await playShort(oracle, () => askAll(oracle, sessions, 1))),
        ...(await playLong(oracle, (onFrames) => askAll(oracle, sessions, words, onFrames))),
      }),
      () => playLong(bare, (onFrames) => askBare(bare, onFrames)),
    );
    const counts = await countTurn(stores);
    const turnMs = pairs.middle(({ service }) => service.turnMs);
    const firstFrameMs = pairs.middle(({ service }) => service.firstFrameMs);
    const framesARead = pairs.middle(({ service }) => service.framesARead).figure;
    const turn = { name: 'turn of one word' };
    const frame = {
      name: `a further frame (${framesARead.toFixed(1)} a read)`,
      figure: `${pairs.cpuUs.toFixed(0)} µs`,
      isSettled: pairs.ratio.isSettled,
    };
    return [
      valueRow({ name: `${turn.name}, CPU`, isSettled: turnMs.isSettled }, turnMs.figure, goals.turnMs, {
        unit: 'ms',
        digits: 2,
      }),
      valueRow(turn, counts.statements.length, goals.statements, { unit: 'statements' }),
      valueRow(turn, counts.trips.length, goals.trips, { unit: 'round trips to Redis' }),
      ratioRow(frame, pairs.ratio.figure, goals.frame),
      valueRow(
        { name: `first frame, ${streams} turns at once`, isSettled: firstFrameMs.isSettled },
        firstFrameMs.figure,
        goals.firstFrameMs,
        { unit: 'ms' },
      ),
      valueRow({ name: 'resident memory of the oracle, idle' }, idleMb, goals.idleMb, { unit: 'MB' }),
    ];
  } finally {
    await Promise.all([oracle.stop(), bare.stop()]);
  }
}

interface FrameSlice {
  /** CPU of one more frame of a stream that is under way. */
  readonly cpuUs: number;
  readonly framesARead: number;
}

interface TurnSlice {
  /** CPU of a stream of one word. */
  readonly turnMs: number;
  /** Half of the streams of one word had their first frame by then. */
  readonly firstFrameMs: number;
}

type Ask = (onFrames?: OnFrames) => Promise<StreamReading[]>;
type OnFrames = (before: number, now: number) => void;

/** All streams at one time, with one word each. */
async function playShort({ pid }: Child, ask: Ask): Promise<TurnSlice> {
  const { cpuUs, readings } = await wholeRound(pid, ask);
  const first = new Latencies();
  for (const { firstFrameMs } of readings) first.add(firstFrameMs);
  return { turnMs: cpuUs / streams / 1000, firstFrameMs: first.within(0.5) };
}

/** The same with more words, as long as none begins or ends. */
async function playLong({ pid }: Child, ask: Ask): Promise<FrameSlice> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const frames = new FramesUnderWay(pid, { streams, frames: words + 2 });
    const { readings, frames: all } = await wholeRound(pid, () => ask(frames.saw));
    const framesARead = all / readings.reduce((sum, { pieces }) => sum + pieces, 0);
    const { cpuUs } = frames;
    // On a busy machine some may end before others have begun.
    if (cpuUs !== undefined) return { cpuUs, framesARead };
  }
  throw new Error(`streams were not all under way at one time, ${mostAttempts} times over`);
}

/** An oracle that waits for a processor longer than for its work takes itself for overloaded: such a round does not count. */
async function wholeRound(pid: number, ask: () => Promise<StreamReading[]>): Promise<StreamRound> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const round = await measureRound(pid, ask);
    if (isWhole(round)) return round;
    await sleep(askAgainMs);
  }
  throw new Error(`streams did not come to their end, ${mostAttempts} times over`);
}

/** As many frames as a turn has, `run` and `done` among them. */
function askBare(bare: Child, onFrames?: OnFrames): Promise<StreamReading[]> {
  const body = { count: words + 2, paceMs };
  const last = `"content":"${body.count} "`;
  return Promise.all(Array.from({ length: streams }, () => readStream(`${bare.url}/stream`, {}, body, last, onFrames)));
}

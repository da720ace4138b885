import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Child, type Placement, startAnnouncedChild } from '../child-process.js';
import { Latencies } from '../latencies.js';
import { readStream, type StreamReading } from '../read-stream.js';
import { residentMb } from '../resident-mb.js';
import { isWhole, measureRound, type StreamRound } from '../stream-figures.js';
import { countTurn } from './count-turn.js';
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
      () => playSlice(oracle, (count) => askAll(oracle, sessions, count)),
      () => playSlice(bare, (count) => askBare(bare, count)),
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

interface StreamSlice {
  /** CPU of one more frame of a stream that is under way. */
  readonly cpuUs: number;
  /** CPU of a stream of one word. */
  readonly turnMs: number;
  /** Half of the streams of one word had their first frame by then. */
  readonly firstFrameMs: number;
  readonly framesARead: number;
}

/** All streams at one time, first with one word and then with more. */
async function playSlice({ pid }: Child, ask: (count: number) => Promise<StreamReading[]>): Promise<StreamSlice> {
  const [short, long] = [await wholeRound(pid, () => ask(1)), await wholeRound(pid, () => ask(words))];
  const first = new Latencies();
  for (const { firstFrameMs } of short.readings) first.add(firstFrameMs);
  return {
    cpuUs: (long.cpuUs - short.cpuUs) / (long.frames - short.frames),
    turnMs: short.cpuUs / streams / 1000,
    firstFrameMs: first.within(0.5),
    framesARead: long.frames / long.readings.reduce((sum, { pieces }) => sum + pieces, 0),
  };
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
function askBare(bare: Child, count: number): Promise<StreamReading[]> {
  const body = { count: count + 2, paceMs };
  return Promise.all(
    Array.from({ length: streams }, () => readStream(`${bare.url}/stream`, {}, body, `"content":"${body.count} "`)),
  );
}

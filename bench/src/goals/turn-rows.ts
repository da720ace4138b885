import { fileURLToPath } from 'node:url';
import { type Child, type Placement, startAnnouncedChild } from '../child-process.js';
import { Latencies } from '../latencies.js';
import { readStream, type StreamReading } from '../read-stream.js';
import { residentMb } from '../resident-mb.js';
import { isWhole, measureRound, type StreamRound } from '../stream-figures.js';
import { countTurn } from './count-turn.js';
import { type Row, ratioRow, valueRow } from './row.js';
import { settled } from './settled.js';
import type { Stores } from './start-service.js';
import { askAll, paceMs, sessionsOf, startOracle } from './turn-scene.js';

const streams = 200;
const words = 60;
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
    const ofOracle = await shortAndLong(oracle, (count) => askAll(oracle, sessions, count));
    const ofBare = await shortAndLong(bare, (count) => askBare(bare, count));
    const { short, long, isSettled } = ofOracle;
    const turn = { name: 'turn of one word', isSettled };
    const frameUs = furtherUs(ofOracle);
    const frame = {
      name: 'a further frame',
      figure: `${frameUs.toFixed(0)} µs`,
      isSettled: isSettled && ofBare.isSettled,
    };
    const counts = await countTurn(stores);
    const first = new Latencies();
    for (const { firstFrameMs } of short.readings) first.add(firstFrameMs);
    const framesARead = long.frames / long.readings.reduce((sum, { pieces }) => sum + pieces, 0);
    return [
      valueRow({ ...turn, name: `${turn.name}, CPU` }, short.cpuUs / streams / 1000, goals.turnMs, {
        unit: 'ms',
        digits: 2,
      }),
      valueRow({ name: turn.name }, counts.statements.length, goals.statements, { unit: 'statements' }),
      valueRow({ name: turn.name }, counts.trips.length, goals.trips, { unit: 'round trips to Redis' }),
      ratioRow(
        { ...frame, name: `${frame.name} (${framesARead.toFixed(1)} a read)` },
        frameUs / furtherUs(ofBare),
        goals.frame,
      ),
      valueRow({ name: `first frame, ${streams} turns at once`, isSettled }, first.within(0.5), goals.firstFrameMs, {
        unit: 'ms',
      }),
      valueRow({ name: 'resident memory of the oracle, idle' }, idleMb, goals.idleMb, { unit: 'MB' }),
    ];
  } finally {
    await Promise.all([oracle.stop(), bare.stop()]);
  }
}

interface ShortAndLong {
  readonly short: StreamRound;
  readonly long: StreamRound;
  readonly isSettled: boolean;
}

async function shortAndLong({ pid }: Child, ask: (count: number) => Promise<StreamReading[]>): Promise<ShortAndLong> {
  const play = async (count: number) => {
    const round = await measureRound(pid, () => ask(count));
    if (!isWhole(round)) throw new Error('a stream did not come to its end');
    return round;
  };
  const [short, long] = [await settled(() => play(1), cpuOf), await settled(() => play(words), cpuOf)];
  return { short: short.round, long: long.round, isSettled: short.isSettled && long.isSettled };
}

const cpuOf = ({ cpuUs }: StreamRound) => cpuUs;

/** CPU of one more frame of a stream that is under way. */
function furtherUs({ short, long }: ShortAndLong): number {
  return (long.cpuUs - short.cpuUs) / (long.frames - short.frames);
}

/** As many frames as a turn has, `run` and `done` among them. */
function askBare(bare: Child, count: number): Promise<StreamReading[]> {
  const body = { count: count + 2, paceMs };
  return Promise.all(
    Array.from({ length: streams }, () => readStream(`${bare.url}/stream`, {}, body, `"content":"${body.count} "`)),
  );
}

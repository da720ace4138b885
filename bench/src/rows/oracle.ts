import { setTimeout as sleep } from 'node:timers/promises';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { countStatements, countTrips } from '../count-wire.js';
import { FramesUnderWay, readStream, type StreamReading } from '../event-stream.js';
import { quantiles } from '../load.js';
import { isQuickRun, Pairs, settle } from '../measure.js';
import { type Child, cpuTimeUs, type Placement, residentMb } from '../process.js';
import { startBareRoutes, startService } from '../services.js';
import type { StoreUrls } from '../stores.js';
import { counted, type Line, type RowGroup, ratioLine, valueLine } from './row.js';

const seed = 'a1'.repeat(32);
const streams = 200;
const words = 20;
/** Between the words of an answer. */
const paceMs = 50;
const mostAttempts = 5;
/** Rounds of turns before the first that counts: V8 compiles in them. */
const warmUpRounds = isQuickRun ? 1 : 15;
const goals = { turnMs: 2, statements: 4, trips: 6, frame: 2.6, firstFrameMs: 110, idleMb: 150 };

/** Turns of the oracle with 200 sessions at once, and frames compared with a bare stream. */
export const oracleRows: RowGroup = {
  names: ['memory-oracle', 'turn', 'frame', 'first-frame'],
  open: async ({ stores, placementOf }) => {
    const profiled = ['frame', 'first-frame'].find((row) => placementOf(row).wrapper !== undefined) ?? 'turn';
    const oracle = await startOracle(stores, placementOf(profiled));
    const bare = await startBareRoutes({}, placementOf(''));
    const idle = residentMb(oracle.pid);
    const sessions = await openSessions(oracle, streams);
    const warmUp = once(async () => {
      const others = await openSessions(oracle, streams);
      await repeat(warmUpRounds, () => measureShort(oracle, others));
    });
    const shortTurns = () => measureShort(oracle, sessions);
    return {
      rows: {
        'memory-oracle': {
          measure: async () => [valueLine('idle memory, oracle', counted(idle), goals.idleMb, { unit: 'MB' })],
        },
        turn: {
          measure: async () => {
            await warmUp();
            const { cpuMs } = await settle(async () => ({ cpuMs: (await shortTurns()).cpuMs }));
            const { statements, trips } = await countTurn(stores);
            return [
              valueLine('turn of one word, CPU', cpuMs, goals.turnMs, { unit: 'ms', digits: 2 }),
              valueLine('turn of one word, SQL', counted(statements.length), goals.statements, { unit: 'statements' }),
              valueLine('turn of one word, Redis', counted(trips.length), goals.trips, { unit: 'round trips' }),
            ];
          },
          profile: { service: oracle, work: () => repeat(10, shortTurns) },
        },
        frame: {
          measure: async () => [await measureFrame(oracle, bare, sessions)],
          profile: { service: oracle, work: () => askAll(oracle, sessions, 3 * words) },
        },
        'first-frame': {
          measure: async () => {
            await warmUp();
            const { ms } = await settle(async () => ({ ms: (await shortTurns()).firstFrameMs }));
            return [valueLine(`first frame of ${streams} turns at once, p50`, ms, goals.firstFrameMs, { unit: 'ms' })];
          },
          profile: { service: oracle, work: () => repeat(10, shortTurns) },
        },
      },
      close: async () => {
        await Promise.all([oracle.stop(), bare.stop()]);
      },
    };
  },
};

interface Session {
  readonly sessionId: string;
  readonly token: string;
}

function startOracle(stores: StoreUrls, placement: Placement): Promise<Child> {
  const { DATABASE_URL, REDIS_URL } = stores;
  const own = { ORACLE_SIGNING_SEED: seed, LOCAL_MODEL_PACE_MS: String(paceMs) };
  return startService('oracle-api', { DATABASE_URL, REDIS_URL, ...own }, placement);
}

/** Opens sessions, twenty-five for each user. */
async function openSessions(oracle: Child, count: number): Promise<Session[]> {
  const audience = signerFromSeed(seed).did;
  const sessions: Session[] = [];
  for (let user = 1; sessions.length < count; user++) {
    const token = await mintInvocation({ signer: signerFromSeed(Buffer.alloc(32, user)), audience });
    const open = async () => {
      const reply = await fetch(`${oracle.url}/sessions`, { method: 'POST', headers: headersOf(token) });
      const { sessionId } = (await reply.json()) as { sessionId: string };
      return { sessionId, token };
    };
    sessions.push(...(await Promise.all(Array.from({ length: Math.min(25, count - sessions.length) }, open))));
  }
  return sessions;
}

const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });

/** Sends one message in each session at once; the answers have the given number of words. */
function askAll(oracle: Child, sessions: readonly Session[], count: number, onFrames?: FramesUnderWay['add']) {
  const body = { message: `count to ${count}`, stream: true };
  return Promise.all(
    sessions.map(({ sessionId, token }) =>
      readStream(`${oracle.url}/messages/${sessionId}`, {
        headers: headersOf(token),
        body,
        last: '"status":"finished"',
        ...(onFrames && { onFrames }),
      }),
    ),
  );
}

/** Turns of one word in all sessions at once. */
async function measureShort(oracle: Child, sessions: readonly Session[]) {
  const before = cpuTimeUs(oracle.pid);
  const readings = await untilComplete(() => askAll(oracle, sessions, 1));
  const cpuMs = (cpuTimeUs(oracle.pid) - before) / sessions.length / 1000;
  return { cpuMs, firstFrameMs: quantiles(readings.map(({ firstFrameMs }) => firstFrameMs)).p50Ms };
}

async function measureFrame(oracle: Child, bare: Child, sessions: readonly Session[]): Promise<Line> {
  // The oracle sends `run` and `done` in addition to the words.
  const frames = words + 2;
  const body = { count: frames, paceMs };
  const askBare = (onFrames: FramesUnderWay['add']) =>
    Promise.all(
      sessions.map(() => readStream(`${bare.url}/stream`, { body, last: `"content":"${frames} "`, onFrames })),
    );
  const pairs = await Pairs.play(
    () => measureLong(oracle, frames, (onFrames) => askAll(oracle, sessions, words, onFrames)),
    () => measureLong(bare, frames, askBare),
  );
  const each = pairs.median(({ service }) => service.framesPerRead).figure;
  return ratioLine(`frame (${each.toFixed(1)} a read)`, `${pairs.cpuUs.toFixed(0)} µs`, pairs.ratio, goals.frame);
}

/** CPU of one more frame while all streams are under way. */
async function measureLong(
  { pid }: Child,
  framesOfStream: number,
  ask: (onFrames: FramesUnderWay['add']) => Promise<StreamReading[]>,
) {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const frames = new FramesUnderWay({ streams, framesOfStream }, () => cpuTimeUs(pid));
    const readings = await ask(frames.add);
    const { cpuUs } = frames;
    const sum = (of: (reading: StreamReading) => number) => readings.reduce((all, each) => all + of(each), 0);
    if (cpuUs !== undefined && readings.every(({ isComplete }) => isComplete))
      return { cpuUs, framesPerRead: sum(({ frames: count }) => count) / sum(({ pieces }) => pieces) };
    await sleep(1000);
  }
  throw new Error('the streams were not all under way at one time');
}

/** On a busy machine an oracle may refuse requests as overloaded: such a round does not count. */
async function untilComplete(ask: () => Promise<StreamReading[]>): Promise<StreamReading[]> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const readings = await ask();
    if (readings.every(({ isComplete }) => isComplete)) return readings;
    await sleep(1000);
  }
  throw new Error('streams did not complete');
}

/** Runs `work` at the first call; later calls wait for the same run. */
function once(work: () => Promise<void>): () => Promise<void> {
  let run: Promise<void> | undefined;
  return () => (run ??= work());
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) await work();
}

/** Requests of one turn to the stores. */
export interface TurnCounts {
  /** Texts of the statements. */
  readonly statements: readonly string[];
  /** Writes to Redis, by the commands in each. */
  readonly trips: readonly string[];
}

/** Counts turns one after another, and returns the one with the fewest requests: the others include work done by timers. */
export async function countTurn(stores: StoreUrls): Promise<TurnCounts> {
  const [statements, trips] = await Promise.all([countStatements(stores.DATABASE_URL), countTrips(stores.REDIS_URL)]);
  const oracle = await startOracle({ DATABASE_URL: statements.url, REDIS_URL: trips.url }, {});
  try {
    const sessions = await openSessions(oracle, 1);
    const counts: TurnCounts[] = [];
    // The first turns give the session its title.
    for (let turn = 0; turn < 11; turn++) {
      await untilComplete(() => askAll(oracle, sessions, 1));
      const count = await takeUntilQuiet(() => ({ statements: statements.take(), trips: trips.take() }));
      if (turn >= 3) counts.push(count);
    }
    const sizeOf = (count: TurnCounts) => count.statements.length + count.trips.length;
    const [fewest] = counts.toSorted((one, other) => sizeOf(one) - sizeOf(other));
    if (fewest === undefined) throw new Error('no turn was counted');
    return fewest;
  } finally {
    await oracle.stop();
    statements.close();
    trips.close();
  }
}

async function takeUntilQuiet(take: () => TurnCounts): Promise<TurnCounts> {
  const all: TurnCounts[] = [];
  for (;;) {
    const taken = take();
    all.push(taken);
    if (all.length > 1 && taken.statements.length + taken.trips.length === 0) break;
    await sleep(150);
  }
  return { statements: all.flatMap(({ statements }) => statements), trips: all.flatMap(({ trips }) => trips) };
}

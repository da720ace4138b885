import { fileURLToPath } from 'node:url';
import { type Placement, startAnnouncedChild } from '../child-process.js';
import type { Load, Target } from '../load-lines.js';
import { residentMb } from '../resident-mb.js';
import { loadMenus } from '../ussd-load.js';
import { loadAtPace } from '../ussd-pace.js';
import { measureLogIns } from '../ussd-pins.js';
import { learnReplies } from '../ussd-sessions.js';
import { countStatements } from './count-wire.js';
import { Pairs } from './pairs.js';
import { type Row, ratioRow, valueRow } from './row.js';
import { settled } from './settled.js';
import { type Stores, startService } from './start-service.js';

const load = { phones: 32, hops: 1500 };
const pace = { hopsPerSecond: 500, seconds: 8 };
const logIns = 100;
const goals = { inMemory: 2, onStores: 4, p99Ms: 3, cpuAtPace: 2, logInMs: 2, logInStatements: 4, idleMb: 90 };

export async function hopRows(stores: Stores, placement: Placement): Promise<Row[]> {
  const inMemory = await startService('ussd-gateway', { DATABASE_URL: stores.DATABASE_URL }, placement);
  const onStores = await startService('ussd-gateway', { ...stores }, placement);
  const bare = await startAnnouncedChild(
    fileURLToPath(new URL('../ussd-floor.js', import.meta.url)),
    { REPLIES: JSON.stringify(await learnReplies(inMemory.url)) },
    { core: placement.core },
  );
  const pairsOf = (target: Target) =>
    Pairs.play(
      () => loadMenus(target, load),
      () => loadMenus(bare, load),
    );
  try {
    const idleMb = residentMb(onStores.pid);
    const memory = await pairsOf(inMemory);
    const real = await pairsOf(onStores);
    const paced = await settled(
      async () => ({
        bare: await loadAtPace(bare, { ...pace, seconds: 3 }),
        hop: await loadAtPace(onStores, pace),
      }),
      ({ hop }) => hop.cpuUs,
    );
    await measureLogIns(onStores, logIns);
    const login = await settled(
      () => measureLogIns(onStores, logIns),
      ({ cpuUs }) => cpuUs,
    );
    const hopRow = (name: string, { ratio, cpuUs }: Pairs<Load>, most: number) =>
      ratioRow({ name, figure: `${cpuUs.toFixed(0)} µs`, isSettled: ratio.isSettled }, ratio.figure, most);
    const atPace = paced.round;
    const pacedRow = (name: string, figure: 'cpuUs' | 'p99Ms', most: number, unit: Parameters<typeof valueRow>[3]) => ({
      ...valueRow({ name, isSettled: paced.isSettled }, atPace.hop[figure], most, unit),
      // A wake-up costs the bare route as much: beside its own figure at this pace, what the machine adds cancels out.
      ratio: atPace.hop[figure] / atPace.bare[figure],
    });
    return [
      hopRow('menu hop, sessions in memory', memory, goals.inMemory),
      hopRow('menu hop, Redis and Postgres', real, goals.onStores),
      pacedRow(`99 % of hops at ${pace.hopsPerSecond} a second`, 'p99Ms', goals.p99Ms, { unit: 'ms', digits: 1 }),
      pacedRow(`CPU of a hop at ${pace.hopsPerSecond} a second`, 'cpuUs', goals.cpuAtPace * real.cpuUs, { unit: 'µs' }),
      valueRow(
        { name: 'log-in with a PIN, CPU', isSettled: login.isSettled },
        login.round.cpuUs / 1000,
        goals.logInMs,
        { unit: 'ms', digits: 2 },
      ),
      valueRow({ name: 'log-in with a PIN' }, await statementsOfLogIn(stores), goals.logInStatements, {
        unit: 'statements',
        digits: 1,
      }),
      valueRow({ name: 'resident memory of the USSD gateway, idle' }, idleMb, goals.idleMb, { unit: 'MB' }),
    ];
  } finally {
    await Promise.all([inMemory.stop(), onStores.stop(), bare.stop()]);
  }
}

/** Statements of the hop in which the PIN is checked. */
async function statementsOfLogIn(stores: Stores): Promise<number> {
  const statements = await countStatements(stores.DATABASE_URL);
  const counted = await startService('ussd-gateway', { ...stores, DATABASE_URL: statements.url }, {});
  try {
    await measureLogIns(counted, logIns, () => void statements.take());
    const taken = statements.take();
    if (process.env['BENCH_SAY_STATEMENTS'] === '1') process.stderr.write(`${taken.slice(-12).join('\n')}\n`);
    return taken.length / logIns;
  } finally {
    await counted.stop();
    statements.close();
  }
}

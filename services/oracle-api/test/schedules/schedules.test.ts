import { openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { and, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { tables } from '../../src/plugins/credits/tables.js';
import { migrationsFolder } from '../../src/store/database.js';
import * as schema from '../../src/store/oracle-schema.js';
import type { Database } from './timed-stores.js';
import { brokenTruths } from './truths.js';
import { User } from './user.js';
import { databaseClock, pass } from './virtual-time.js';
import { World } from './world.js';

// Fake timers do not cover that module; all waits use the test clock through the replacement.
vi.mock('node:timers/promises', () => import('./fake-sleep.js'));

const isLong = process.env['MODEL_SCHEDULES'] !== undefined;
/** By default the same schedules each time. A schedule repeats exactly with the seed of its failure, and MODEL_SCHEDULES=1. */
const firstSeed = Number(process.env['MODEL_SEED'] ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 17));
const schedules = Number(process.env['MODEL_SCHEDULES'] ?? 12);

let db: Database;
let tick: () => Promise<void>;
let close: () => Promise<void>;
beforeAll(async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const ownedTables = [{ owner: 'plugin credits', refersTo: [], names: tables.names, migrations: tables.migrations }];
  const opened = await openDatabase({ dataDir: 'memory://', schema, migrationsFolder, ownedTables, logger });
  ({ db, close } = opened);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  tick = await databaseClock(db);
});
afterAll(async () => {
  vi.useRealTimers();
  await close?.();
});

/** Runs processes, and decides on all pending calls, until no run is active. */
async function comesToRest(world: World, user: User): Promise<boolean> {
  for (let round = 0; round < 40; round++) {
    for (const at of [0, 1]) (await world.replica(at)).life.endsIn = Number.POSITIVE_INFINITY;
    const decided = await user.decide(world.random.pick(['allow', 'deny']));
    await pass(decided ? 1_000 : 4_000);
    const live = await db
      .select({ runId: schema.runs.runId })
      .from(schema.runs)
      .where(
        and(
          eq(schema.runs.ownerDid, world.owner),
          inArray(schema.runs.status, ['queued', 'running', 'recovering', 'waiting']),
        ),
      );
    const unreported = await db.$count(schema.unreportedUsage, eq(schema.unreportedUsage.ownerDid, world.owner));
    if (live.length + unreported === 0) return true;
    if (live.length > 0) continue;
    world.isRefusing = false;
    await pass(20_000);
  }
  return false;
}

async function tryOne(seed: number): Promise<void> {
  const world = await World.open(seed, db, tick);
  const user = new User(world);
  try {
    await user.live();
    expect(await comesToRest(world, user), 'comes to rest').toBe(true);
    expect(await brokenTruths(world, user)).toEqual([]);
  } catch (error) {
    throw new Error(`MODEL_SEED=${seed}: ${String(error)}\n${world.history.join('\n')}`, { cause: error });
  } finally {
    world.close();
    vi.clearAllTimers();
  }
}

it(
  `does each thing once, charges it once and answers or marks every message in ${schedules} schedules of deaths, aborts and parallel sends`,
  async () => {
    for (let index = 0; index < schedules; index++) await tryOne(firstSeed + index);
  },
  60_000 + schedules * 5_000,
);

import type { SqlDatabase } from '@mlango/service-kit/database';
import { sql } from 'drizzle-orm';
import { vi } from 'vitest';
import type * as schema from '../../src/store/oracle-schema.js';

/** Number of pending operations on shared stores; time stands still meanwhile. */
let busy = 0;

/** Counts an operation as pending until it ends. */
export async function working<Value>(work: () => Promise<Value>): Promise<Value> {
  busy += 1;
  try {
    return await work();
  } finally {
    busy -= 1;
  }
}

/** Runs all work that needs no time. */
async function rest(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (busy > 0);
}

/** Advances the time by this many ms, timer by timer. */
export async function pass(ms: number): Promise<void> {
  let isOver = false;
  setTimeout(() => {
    isOver = true;
  }, ms);
  await rest();
  while (!isOver) {
    vi.advanceTimersToNextTimer();
    await rest();
  }
}

/** Database clock that follows the timers of the test. */
export async function databaseClock(db: SqlDatabase<typeof schema>): Promise<() => Promise<void>> {
  await db.execute(sql`create schema model`);
  await db.execute(sql`create function model.now() returns timestamptz language sql stable
    as $$ select current_setting('model.now')::timestamptz $$`);
  await db.execute(sql`set search_path = model, public, pg_catalog`);
  let setMs = Number.NaN;
  const set = async (): Promise<void> => {
    const nowMs = Date.now();
    if (nowMs === setMs) return;
    setMs = nowMs;
    await db.execute(sql`select set_config('model.now', ${new Date(nowMs).toISOString()}, false)`);
  };
  await set();
  return set;
}

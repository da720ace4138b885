import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MemorySessionStore } from './memory-session-store.js';
import { anyRecord } from './session-store.fixture.js';
import { SessionQueue, withSessionLock } from './with-session-lock.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const record = anyRecord();
const hopDeadlineMs = 300;
/** A dead process would hold its lock for this time. */
const lockMs = 180;

it('work past the deadline keeps its lock, saves nothing, and renews nothing after its end', async () => {
  const store = new MemorySessionStore();
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const writers = { store, queue: new SessionQueue(), hopDeadlineMs };
  const turn = withSessionLock(record, writers, { limitMs: hopDeadlineMs }, async ({ save }) => {
    await finished;
    return save(record, 60_000);
  });
  const outcome = vi.fn<(error: unknown) => void>();
  turn.catch(outcome);
  await vi.advanceTimersByTimeAsync(hopDeadlineMs - 1);
  expect(outcome).not.toHaveBeenCalled();
  expect((await store.hold(record, lockMs)).kind).toBe('busy');
  // Plus one turn of the event loop, in which arrived data is processed.
  await vi.advanceTimersByTimeAsync(2);
  expect(outcome).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'deadline_exceeded' }));
  await vi.advanceTimersByTimeAsync(3 * lockMs);
  expect((await store.hold(record, lockMs)).kind).toBe('busy');
  finish();
  await vi.advanceTimersByTimeAsync(0);
  const renewed = vi.spyOn(store, 'renew');
  await vi.advanceTimersByTimeAsync(lockMs);
  expect(renewed).not.toHaveBeenCalled();
  expect(await store.hold(record, lockMs)).toMatchObject({ kind: 'held', session: undefined });
});

it('a received answer takes precedence over a deadline that passed while the process was blocked', async () => {
  vi.useRealTimers();
  const limitMs = 20;
  const writers = { store: new MemorySessionStore(), queue: new SessionQueue(), hopDeadlineMs: limitMs };
  const { port1: backEnd, port2 } = new MessageChannel();
  try {
    const answer = once(port2, 'message');
    const saved = withSessionLock(record, writers, { limitMs }, async ({ save }) => {
      await answer;
      // The lock is lost as well: another attempt gets it, and finds the answer.
      return (await save(record, 60_000)) ? 'saved' : undefined;
    });
    // The work has sent its request by the end of this tick; then the process is blocked until the deadline.
    await Promise.resolve();
    backEnd.postMessage('the answer');
    const overAtMs = performance.now() + 2 * limitMs;
    while (performance.now() < overAtMs);
    await expect(saved).resolves.toBe('saved');
  } finally {
    backEnd.close();
  }
});

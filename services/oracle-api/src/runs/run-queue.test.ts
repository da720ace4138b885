import { describe, expect, it, vi } from 'vitest';
import { openTestStores } from '../../test/stores.fixture.js';
import { Turn } from '../agent/turn.js';
import { scriptedModel } from '../models/scripted-model.fixture.js';
import { RunQueue } from './run-queue.js';

const lease = { writerId: 'w', leaseMs: 60_000 };
const most = { ofSession: 1_000, ofUser: 1_000 };

async function setUp() {
  const { conversations, runRepository } = await openTestStores();
  for (const sessionId of ['s', 'other']) {
    await conversations.createSession('o', { sessionId, createdAt: new Date(0) });
  }
  const advance = vi.spyOn(runRepository, 'advance');
  const errors: object[] = [];
  const followed: string[] = [];
  const signals = {
    follow: async (sessionId: string) => {
      followed.push(sessionId);
      return () => void followed.splice(followed.indexOf(sessionId), 1);
    },
  };
  const log = { error: (fields: object) => void errors.push(fields) };
  const waiting = new RunQueue({ runRepository, lease, signals, log });
  const { model } = scriptedModel([]);
  const enqueue = async (id: string, sessionId = 's') => {
    const turn = new Turn({ ownerDid: 'o', sessionId, requestId: id, message: 'hi', isFollowed: true, model }, id);
    const question = {
      messageId: `${id}~human`,
      turnId: id,
      type: 'human',
      content: id,
      createdAt: new Date(0),
    } as const;
    await runRepository.enqueue(turn.run, lease, question, most);
    return turn;
  };
  const end = async (turn: Turn) => {
    await runRepository.end(turn.run.runId, lease.writerId, 'finished');
    waiting.onRunEnded(turn.run.sessionId);
  };
  return { runRepository, waiting, advance, enqueue, end, errors, followed };
}

describe('queued turns', () => {
  it('start in order at the end of a run, and query nothing in the meantime', async () => {
    const { waiting, advance, enqueue, end } = await setUp();
    const turns = await Promise.all(Array.from({ length: 150 }, (_, at) => enqueue(`r${at}`)));
    expect(await Promise.all(turns.map((turn) => waiting.enter(turn)))).toEqual([
      false,
      ...Array<boolean>(149).fill(true),
    ]);
    // All requests share one query, and those during it share one more.
    expect(advance.mock.calls.length).toBeLessThanOrEqual(2);
    advance.mockClear();
    const order: string[] = [];
    for (const turn of turns.slice(1)) void waiting.untilReady(turn).then(() => order.push(turn.run.runId));
    for (const turn of turns.slice(0, 10)) {
      await end(turn);
      await vi.waitFor(() => expect(order.at(-1)).toBe(`r${turns.indexOf(turn) + 1}`));
    }
    expect(advance).toHaveBeenCalledTimes(10);
  });

  it('are not queried when a run ends in a session without queued turns', async () => {
    const { waiting, advance, enqueue, end } = await setUp();
    const [running, next] = [await enqueue('one'), await enqueue('two')];
    await waiting.enter(running);
    await waiting.enter(next);
    advance.mockClear();
    await end(await enqueue('elsewhere', 'other'));
    expect(advance).not.toHaveBeenCalled();
  });

  it('leave the queue when stopped, and start at a poll after a lost signal', async () => {
    const { runRepository, waiting, enqueue } = await setUp();
    const [running, stopped, next] = [await enqueue('one'), await enqueue('two'), await enqueue('three')];
    for (const turn of [running, stopped, next]) await waiting.enter(turn);
    stopped.stop('aborted');
    await waiting.untilReady(stopped);
    for (const { run } of [running, stopped]) await runRepository.end(run.runId, lease.writerId, 'aborted');
    await waiting.advanceAll();
    await waiting.untilReady(next);
    expect(await runRepository.find('o', 'three')).toMatchObject({ status: 'running' });
  });

  it('receive the signals of their session while they are queued', async () => {
    const { waiting, enqueue, end, followed } = await setUp();
    const [running, next, stopped] = [await enqueue('one'), await enqueue('two'), await enqueue('three')];
    await waiting.enter(running);
    expect(followed).toEqual([]);
    for (const turn of [next, stopped]) await waiting.enter(turn);
    expect(followed).toEqual(['s', 's']);
    stopped.stop('aborted');
    await vi.waitFor(() => expect(followed).toEqual(['s']));
    await end(running);
    await vi.waitFor(() => expect(followed).toEqual([]));
  });

  it('stay queued when the repository is unavailable', async () => {
    const { waiting, advance, enqueue, errors } = await setUp();
    const turn = await enqueue('one');
    advance.mockRejectedValueOnce(new Error('away'));
    expect([await waiting.enter(turn), errors.length]).toEqual([true, 1]);
    await waiting.advanceAll();
    await waiting.untilReady(turn);
  });
});

import { describe, expect, it, vi } from 'vitest';
import { openTestStores, type TestStores } from '../../test/stores.fixture.js';
import { gate, type Step, scriptedModel } from '../models/scripted-model.fixture.js';
import { MemoryRunLogStore } from '../runs/log/memory.js';
import { MemoryRunSignals } from '../runs/signals.js';
import { noPlugins } from './prompt/no-plugins.fixture.js';
import { noTelemetry } from './telemetry.js';
import type { TurnRequest } from './turn-request.js';
import { Turns } from './turns.js';

const asha = 'did:key:asha';

interface Shared {
  readonly stores: TestStores;
  readonly runs: MemoryRunLogStore;
}

async function setUp(options: {
  steps: readonly Step[] | ((said: string) => readonly Step[]);
  activeTurns?: number;
  turnTimeoutMs?: number;
  onConflict?: 'interrupt' | 'enqueue';
  queue?: { ofSession: number; ofUser: number };
  leaseMs?: number;
  renewMs?: number;
  forgetOld?: () => Promise<boolean>;
  /** Services shared between replicas, taken from another instance. */
  shared?: Shared;
}) {
  const { steps } = options;
  const { model, requests } = scriptedModel(
    typeof steps === 'function' ? (request) => steps(request.messages.at(-1)?.content ?? '') : steps,
  );
  let [ids, nowMs] = [0, 0];
  const stores = options.shared?.stores ?? (await openTestStores());
  const { conversations, runRepository } = stores;
  const runs = options.shared?.runs ?? new MemoryRunLogStore({ retentionMs: 60_000, limitChars: 1_000_000 }, () => 0);
  const signals = new MemoryRunSignals();
  const prefix = options.shared === undefined ? 'run' : 'other';
  const errors: object[] = [];
  const ended: string[] = [];
  const told: string[] = [];
  const turns = new Turns({
    ...stores,
    runs,
    models: { find: () => model },
    signals,
    plugins: noPlugins,
    small: model,
    meters: [],
    gate: {},
    ...(options.forgetOld === undefined ? {} : { forgetOld: options.forgetOld }),
    listeners: [{ emit: (turn, { event }) => void told.push(`${turn.runId} ${event}`) }],
    oracleName: 'Jua',
    now: () => new Date(nowMs++),
    newId: () => `${prefix}-${++ids}`,
    log: { error: (fields) => errors.push(fields) },
    onTurnEnd: (status) => ended.push(status),
    telemetry: noTelemetry,
    limits: {
      activeTurns: options.activeTurns ?? 10,
      turnTimeoutMs: options.turnTimeoutMs ?? 60_000,
      steps: 8,
      sameCalls: 2,
      onConflict: options.onConflict ?? 'interrupt',
      leaseMs: options.leaseMs ?? 60_000,
      renewMs: options.renewMs ?? 20_000,
      waitMs: 1,
      queue: options.queue ?? { ofSession: 1_000, ofUser: 1_000 },
      approvalMs: 60_000,
      retentionMs: 60_000,
    },
  });
  if (options.shared === undefined)
    await conversations.createSession(asha, { sessionId: 's1', createdAt: new Date(0) });
  let sent = 0;
  const send = (message: string, fields: Partial<TurnRequest> = {}) =>
    turns.send({
      ownerDid: asha,
      sessionId: 's1',
      requestId: `req-${++sent}`,
      message,
      model,
      isFollowed: true,
      ...fields,
    });
  const finish = async (message: string) => {
    const result = await send(message);
    if (result.kind !== 'started') throw new Error(result.kind);
    return result.finished;
  };
  const contents = async () => (await conversations.newestMessages(asha, 's1', 100)).map(({ content }) => content);
  return {
    turns,
    send,
    finish,
    stores,
    conversations,
    runRepository,
    runs,
    signals,
    requests,
    contents,
    errors,
    ended,
    told,
  };
}

describe('the turns of a process', () => {
  it('store question and answer, the answer under the request id', async () => {
    const { finish, conversations, ended } = await setUp({ steps: ['Hel', 'lo'] });
    await finish('hi');
    expect(ended).toEqual(['finished']);
    expect(await conversations.newestMessages(asha, 's1', 10)).toMatchObject([
      { type: 'human', content: 'hi', turnId: expect.any(String) },
      { type: 'ai', content: 'Hello', turnId: expect.any(String), messageId: 'req-1' },
    ]);
  });

  it('send the conversation so far to the model', async () => {
    const { finish, requests } = await setUp({ steps: ['ok'] });
    await finish('one');
    await finish('two');
    expect(requests[1]?.messages.map(({ content }) => content)).toEqual(['one', 'ok', 'two']);
  });

  it('title a session once, after the first finished turn', async () => {
    const { finish, conversations, turns } = await setUp({ steps: (said) => (said === 'broken' ? [] : ['ok']) });
    await finish('broken');
    await turns.drain(0);
    expect((await conversations.findSession(asha, 's1'))?.title).toBeUndefined();
    const again = await setUp({ steps: ['ok'] });
    await again.finish('Plant trees');
    await vi.waitFor(async () =>
      expect((await again.conversations.findSession(asha, 's1'))?.title).toBe('Plant trees'),
    );
    const before = await again.conversations.findSession(asha, 's1');
    await again.finish('Something else');
    await again.turns.drain(0);
    expect(await again.conversations.findSession(asha, 's1')).toMatchObject({ title: before?.title });
  });

  it('store nothing when admission rejects while the log begins, for any rejection', async () => {
    const { send, turns, runs, contents, told } = await setUp({ steps: ['ok'] });
    const refused = Promise.reject(new Error('too many today'));
    await expect(send('hi', { allowed: refused, runId: 'r1' })).rejects.toThrow('too many today');
    expect(await runs.read({ ownerDid: asha, runId: 'r1' }, 0)).toBeUndefined();
    expect([turns.running, await contents(), told]).toEqual([0, [], []]);
    const sent = await send('hi', { allowed: Promise.resolve(), runId: 'r1' });
    if (sent.kind === 'started') expect(await sent.finished).toMatchObject({ status: 'finished' });
  });

  it('reject a session that is absent or of another user', async () => {
    const { send, contents } = await setUp({ steps: ['ok'] });
    expect(await send('hi', { sessionId: 'nowhere' })).toEqual({ kind: 'no_session' });
    expect(await send('hi', { ownerDid: 'did:key:bo' })).toEqual({ kind: 'no_session' });
    expect(await contents()).toEqual([]);
  });

  it('run a retried send once, running or finished', async () => {
    const { opened, open } = gate();
    const { send, requests, contents } = await setUp({ steps: [opened, 'ok'] });
    const first = await send('hi', { requestId: 'same' });
    expect(await send('hi', { requestId: 'same' })).toEqual({ kind: 'request_id_used' });
    open();
    if (first.kind === 'started') expect(await first.finished).toMatchObject({ status: 'finished' });
    expect(await send('hi', { requestId: 'same' })).toEqual({ kind: 'request_id_used' });
    expect(requests).toHaveLength(1);
    expect(await contents()).toEqual(['hi', 'ok']);
  });

  it('interrupt the running turn of a session for a newer message, and store its partial answer first', async () => {
    const { send, finish, contents, told } = await setUp({
      steps: (said) => (said === 'first' ? ['part', gate().opened] : ['full']),
    });
    const first = await send('first');
    await vi.waitFor(() => expect(told.some((line) => line.endsWith(' message'))).toBe(true));
    expect(await finish('second')).toMatchObject({ status: 'finished' });
    if (first.kind === 'started')
      expect(await first.finished).toMatchObject({ status: 'interrupted', content: 'part' });
    expect(await contents()).toEqual(['first', 'part', 'second', 'full']);
  });

  it('run at most one turn of a session at a time, under concurrent sends', async () => {
    const { send, told, contents } = await setUp({ steps: () => ['a', new Promise(setImmediate), 'b'] });
    const results = await Promise.all(Array.from({ length: 8 }, (_, i) => send(`m${i}`)));
    for (const result of results) if (result.kind === 'started') await result.finished;
    expect(results.every(({ kind }) => kind === 'started')).toBe(true);
    expect((await contents()).filter((content) => content.startsWith('m'))).toHaveLength(8);
    // The events of a run are not interleaved with those of another.
    const runsInOrder = told
      .filter((line) => !line.endsWith('message_cache_invalidation'))
      .map((line) => line.split(' ')[0]);
    expect(runsInOrder).toEqual([...runsInOrder].toSorted((a, b) => runsInOrder.indexOf(a) - runsInOrder.indexOf(b)));
    expect(told.filter((line) => line.endsWith(' done'))).toHaveLength(8);
  });

  it('stop only for the owner', async () => {
    const { send, turns } = await setUp({ steps: ['part', gate().opened] });
    expect(await turns.stop(asha, 's1', 'aborted')).toBe(false);
    const sent = await send('hi');
    expect(await turns.stop('did:key:bo', 's1', 'aborted')).toBe(false);
    expect(await turns.stop(asha, 's1', 'aborted')).toBe(true);
    if (sent.kind === 'started') expect(await sent.finished).toMatchObject({ status: 'aborted' });
    expect(await turns.stop(asha, 's1', 'aborted')).toBe(false);
  });

  it('reject sends above the capacity of the process', async () => {
    const { send, conversations, contents } = await setUp({ steps: [gate().opened], activeTurns: 1 });
    await conversations.createSession(asha, { sessionId: 's2', createdAt: new Date(0) });
    expect(await send('hi', { sessionId: 's2' })).toMatchObject({ kind: 'started' });
    expect(await send('hi')).toEqual({ kind: 'busy' });
    expect(await contents()).toEqual([]);
  });

  it('end after the timeout', async () => {
    const { finish } = await setUp({ steps: ['part', gate().opened], turnTimeoutMs: 5 });
    expect(await finish('hi')).toMatchObject({ status: 'failed', content: 'part', failure: { kind: 'timeout' } });
  });

  it('free the session, and store no log, when a store fails before the start', async () => {
    const { send, runRepository, finish, runs } = await setUp({ steps: ['ok'] });
    const begun = vi.spyOn(runs, 'begin');
    const failure = vi.spyOn(runRepository, 'claim').mockRejectedValueOnce(new Error('database away'));
    await expect(send('hi')).rejects.toThrow('database away');
    const run = begun.mock.calls[0]?.[0] ?? { runId: 'none', ownerDid: asha };
    expect(run.runId).not.toBe('none');
    expect(await runs.read(run, 0)).toBeUndefined();
    failure.mockRestore();
    expect(await finish('hi')).toMatchObject({ status: 'finished' });
  });

  it('delete turns past retention, in batches while more are due', async () => {
    const answers = [true, true, false];
    const asked: boolean[] = [];
    const forgetOld = async () => {
      asked.push(answers[asked.length] ?? false);
      return asked.at(-1) ?? false;
    };
    const { turns } = await setUp({ steps: ['ok'], renewMs: 5, forgetOld });
    await vi.waitFor(() => expect(asked).toEqual(answers));
    await turns.drain(0);
  });

  it('delete turns past retention although ended runs cannot be deleted', async () => {
    const shared = await setUp({ steps: [] });
    vi.spyOn(shared.runRepository, 'deleteEnded').mockRejectedValue(new Error('statement timeout'));
    const forgetOld = vi.fn(async () => false);
    const { turns, errors } = await setUp({ steps: ['ok'], renewMs: 5, forgetOld, shared });
    await vi.waitFor(() => expect(forgetOld).toHaveBeenCalled());
    await turns.drain(0);
    expect(errors).toMatchObject([{ step: 'delete ended runs' }]);
  });

  it('store the question once when the process dies at the start, for recovery', async () => {
    const { opened: never } = gate();
    const dying = await setUp({ steps: ['ok'], leaseMs: -1 });
    const claim = dying.runRepository.claim.bind(dying.runRepository);
    vi.spyOn(dying.runRepository, 'claim').mockImplementationOnce(async (...run) => {
      await claim(...run);
      await never;
      return {};
    });
    void dying.send('hi', { requestId: 'same' });
    await vi.waitFor(async () => expect(await dying.contents()).toEqual(['hi']));
    const next = await setUp({ steps: ['ok'], shared: dying });
    await next.signals.send({ kind: 'stop' });
    await vi.waitFor(() => expect(next.ended).toEqual(['interrupted']));
    expect(await next.contents()).toEqual(['hi', '']);
    expect(await next.send('hi', { requestId: 'same' })).toEqual({ kind: 'request_id_used' });
    await next.finish('and now?');
    expect(next.requests[0]?.messages.map(({ content }) => content)).toEqual(['hi', 'and now?']);
  });

  it('stay queued when the queue cannot be read at the start', async () => {
    const { runRepository, finish } = await setUp({ steps: ['ok'], onConflict: 'enqueue', renewMs: 5 });
    vi.spyOn(runRepository, 'advance').mockRejectedValueOnce(new Error('database away'));
    expect(await finish('hi')).toMatchObject({ status: 'finished' });
    expect(await finish('again')).toMatchObject({ status: 'finished' });
  });

  it('finish at shutdown within the grace period, else are interrupted with their text stored', async () => {
    const { opened, open } = gate();
    const patient = await setUp({ steps: [opened, 'done'] });
    const sent = await patient.send('hi');
    const drained = patient.turns.drain(60_000);
    open();
    await drained;
    if (sent.kind === 'started') expect(await sent.finished).toMatchObject({ status: 'finished' });

    const hurried = await setUp({ steps: ['part', gate().opened] });
    const cut = await hurried.send('hi');
    await vi.waitFor(() => expect(hurried.told.some((line) => line.endsWith(' message'))).toBe(true));
    await hurried.turns.drain(0);
    if (cut.kind === 'started') expect(await cut.finished).toMatchObject({ status: 'interrupted', content: 'part' });
    expect(await hurried.contents()).toEqual(['hi', 'part']);
    expect(await hurried.send('late')).toEqual({ kind: 'busy' });
  });
});

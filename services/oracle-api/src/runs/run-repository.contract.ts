import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConversationStore } from '../store/conversation-store.js';
import type { StoredMessage } from '../store/sessions.js';
import type { RunStart } from './log/store.js';
import type { Lease, RunRepository } from './run-repository.js';

interface Opened {
  readonly runRepository: RunRepository;
  readonly conversations: ConversationStore;
}

/** Contract tests for every adapter of the port. */
export function runRepositoryContract(name: string, open: () => Opened): void {
  describe(`${name} stores runs`, () => {
    let runRepository: RunRepository;
    let conversations: ConversationStore;
    let asha: string;
    let sessionId: string;
    let one: Lease;
    let two: Lease;
    beforeEach(async () => {
      ({ runRepository, conversations } = open());
      asha = `did:key:${randomUUID()}`;
      sessionId = randomUUID();
      one = { writerId: randomUUID(), leaseMs: 60_000 };
      two = { writerId: randomUUID(), leaseMs: 60_000 };
      await conversations.createSession(asha, { sessionId, createdAt: new Date(0) });
    });
    const run = (fields: object = {}) => ({
      runId: randomUUID(),
      ownerDid: asha,
      sessionId,
      requestId: randomUUID(),
      ...fields,
    });
    const question = ({ runId: turnId, requestId }: RunStart): StoredMessage => ({
      messageId: `${requestId}~human`,
      turnId,
      type: 'human',
      content: 'hi',
      createdAt: new Date(0),
    });
    const named = (result: object | string): string => (typeof result === 'object' ? 'claimed' : result);
    const claim = async (start: RunStart, lease: Lease) =>
      named(await runRepository.claim(start, lease, question(start)));
    const enqueue = async (start: RunStart, lease: Lease, most = { ofSession: 100, ofUser: 100 }) =>
      named(await runRepository.enqueue(start, lease, question(start), most));
    const claimed = async (lease: Lease) => {
      const start = run();
      expect(await claim(start, lease)).toBe('claimed');
      return start;
    };

    it('runs one run of a session at a time, under concurrent claims', async () => {
      const results = await Promise.all(Array.from({ length: 6 }, () => claim(run(), one)));
      expect(results.toSorted()).toEqual(['claimed', ...Array<string>(5).fill('occupied')]);
    });

    it('returns the session data that a turn needs', async () => {
      const [untitled, titled] = [run(), run({ sessionId: randomUUID() })];
      expect(await runRepository.claim(untitled, one, question(untitled))).toEqual({});
      await conversations.createSession(asha, { sessionId: titled.sessionId, createdAt: new Date(0), roomId: '!r' });
      await conversations.setFirstTitle(asha, titled.sessionId, 'Tea', new Date(0));
      expect(await runRepository.claim(titled, one, question(titled))).toEqual({ title: 'Tea', roomId: '!r' });
    });

    it('selects the branch that a claimed run begins, and stays on it', async () => {
      const forks = Array.from({ length: 5 }, () => run());
      const branchOf = (id: string) => ({ id, insteadOf: 't', path: [] });
      const claims = forks.map(async (fork) =>
        runRepository.claim(fork, one, { ...question(fork), branch: branchOf(fork.runId) }),
      );
      const results = await Promise.all(claims);
      const [first] = forks.filter((_, at) => results[at] !== 'occupied');
      const branch = branchOf(first?.runId ?? '');
      expect(results.filter((result) => result !== 'occupied')).toEqual([{ branch }]);
      await runRepository.end(branch.id, one.writerId, 'finished');
      const next = run();
      expect(await runRepository.claim(next, one, question(next))).toEqual({ branch });
      expect(await conversations.findSession(asha, sessionId)).toMatchObject({ branch });
      expect((await conversations.newestMessages(asha, sessionId, 9)).map(({ turnId }) => turnId)).toEqual([
        branch.id,
        next.runId,
      ]);
    });

    it('accepts a request id once in a session, also after its run has ended', async () => {
      const first = await claimed(one);
      expect(await claim(run({ requestId: first.requestId }), two)).toBe('request_id_used');
      await runRepository.end(first.runId, one.writerId, 'finished');
      expect(await claim(run({ requestId: first.requestId }), two)).toBe('request_id_used');
      expect(await claim(run(), two)).toBe('claimed');
    });

    it('counts unfinished runs by status, with the age of the oldest', async () => {
      const [first, second] = await Promise.all([runRepository.countUnfinished(), claimed(one)]);
      const countOf = (found: typeof first, status: string) => found.find((row) => row.status === status)?.count ?? 0;
      await enqueue(run(), one);
      const now = await runRepository.countUnfinished();
      expect([countOf(now, 'running'), countOf(now, 'queued')]).toEqual([
        expect.toSatisfy((count: number) => count >= 1),
        expect.toSatisfy((count: number) => count >= 1),
      ]);
      expect(now.every(({ oldestMs }) => oldestMs >= 0)).toBe(true);
      await runRepository.end(second.runId, one.writerId, 'finished');
      expect(countOf(await runRepository.countUnfinished(), 'running')).toBe(countOf(now, 'running') - 1);
    });

    it('rejects a run in a session that is absent or of another user', async () => {
      expect(await claim(run({ sessionId: 'nowhere' }), one)).toBe('no_session');
      expect(await claim(run({ ownerDid: 'did:key:bo' }), one)).toBe('no_session');
      expect(await enqueue(run({ sessionId: 'nul\u0000' }), one)).toBe('no_session');
    });

    it('returns a run to its owner only', async () => {
      const start = await claimed(one);
      expect(await runRepository.find(asha, start.runId)).toEqual({
        ...start,
        status: 'running',
        createdAt: expect.any(Date),
      });
      expect(await runRepository.findLive(asha, sessionId)).toMatchObject({ runId: start.runId });
      expect(await runRepository.listOfSession(asha, sessionId)).toEqual([start.runId]);
      expect(await runRepository.find('did:key:bo', start.runId)).toBeUndefined();
      expect(await runRepository.findLive('did:key:bo', sessionId)).toBeUndefined();
      expect(await runRepository.listOfSession('did:key:bo', sessionId)).toEqual([]);
      expect(await runRepository.requestStop('did:key:bo', sessionId, 'aborted')).toEqual([]);
      expect(await runRepository.find(asha, 'nul\u0000')).toBeUndefined();
      expect(await runRepository.renew(one, [start])).toEqual([{ runId: start.runId }]);
    });

    it('finds an unfinished run by its request, for its owner only', async () => {
      const start = await claimed(one);
      const { requestId } = start;
      expect(await runRepository.findByRequest(asha, requestId)).toMatchObject({ runId: start.runId, sessionId });
      expect(await runRepository.findByRequest('did:key:bo', requestId)).toBeUndefined();
      expect(await runRepository.findByRequest(asha, 'nul\u0000')).toBeUndefined();
      await runRepository.end(start.runId, one.writerId, 'finished');
      expect(await runRepository.findByRequest(asha, requestId)).toBeUndefined();
    });

    it('accepts the end of a run from its writer only, and once', async () => {
      const start = await claimed(one);
      expect(await runRepository.end(start.runId, two.writerId, 'failed')).toBe(false);
      const isHeld = () => Promise.all([one, two].map(({ writerId }) => runRepository.isHeld(start.runId, writerId)));
      expect(await isHeld()).toEqual([true, false]);
      expect(await runRepository.end(start.runId, one.writerId, 'finished', { textMarks: '.5' })).toBe(true);
      expect(await isHeld()).toEqual([false, false]);
      expect(await runRepository.end(start.runId, one.writerId, 'failed')).toBe(false);
      expect(await runRepository.find(start.ownerDid, start.runId)).toMatchObject({
        status: 'finished',
        textMarks: '.5',
      });
      expect(await runRepository.find(asha, start.runId)).toMatchObject({ status: 'finished' });
      expect(await runRepository.findLive(asha, sessionId)).toBeUndefined();
      expect(await runRepository.findLatest(asha, sessionId)).toMatchObject({ runId: start.runId, status: 'finished' });
      expect(await runRepository.findLatest('did:key:bo', sessionId)).toBeUndefined();
      const newer = await claimed(one);
      expect(await runRepository.findLatest(asha, sessionId)).toMatchObject({ runId: newer.runId });
      await runRepository.end(newer.runId, one.writerId, 'aborted');
      expect(await runRepository.findLatest(asha, sessionId)).toMatchObject({ runId: newer.runId, status: 'aborted' });
      expect(await runRepository.renew(one, [start, newer])).toEqual([]);
    });

    it('returns the first stop reason to the writer', async () => {
      const start = await claimed(one);
      expect(await runRepository.requestStop(asha, sessionId, 'aborted')).toEqual([start.runId]);
      await runRepository.requestStop(asha, sessionId, 'superseded');
      expect(await runRepository.renew(one, [start])).toEqual([{ runId: start.runId, stop: 'aborted' }]);
    });

    it('runs queued runs one by one, in request order', async () => {
      const first = await claimed(one);
      const [second, third] = [run(), run()];
      expect(await enqueue(second, one)).toBe('claimed');
      expect(await enqueue(third, two)).toBe('claimed');
      expect(await runRepository.advance(one.writerId)).toEqual([]);
      expect(await runRepository.findLive(asha, sessionId)).toMatchObject({ runId: first.runId });
      await runRepository.end(first.runId, one.writerId, 'finished');
      expect(await runRepository.advance(two.writerId)).toEqual([]);
      expect(await runRepository.find(asha, second.runId)).toMatchObject({ status: 'queued' });
      expect(await runRepository.advance(one.writerId)).toEqual([second.runId]);
      expect(await runRepository.advance(one.writerId)).toEqual([]);
      await runRepository.end(second.runId, one.writerId, 'aborted');
      expect(await runRepository.advance(two.writerId)).toEqual([third.runId]);
    });

    it('starts the first queued run of each session, all at once', async () => {
      const sessions = [sessionId, randomUUID(), randomUUID()];
      for (const id of sessions.slice(1))
        await conversations.createSession(asha, { sessionId: id, createdAt: new Date(0) });
      const first = sessions.map((id) => run({ sessionId: id }));
      for (const start of first) await enqueue(start, one);
      for (const id of sessions) await enqueue(run({ sessionId: id }), one);
      expect((await runRepository.advance(one.writerId)).toSorted()).toEqual(
        first.map(({ runId }) => runId).toSorted(),
      );
    });

    it('bounds the queue of a session and of all sessions of an owner, under concurrency', async () => {
      const other = randomUUID();
      await conversations.createSession(asha, { sessionId: other, createdAt: new Date(0) });
      const counted = async (id: string) => {
        const sent = Array.from({ length: 8 }, () => enqueue(run({ sessionId: id }), one, { ofSession: 3, ofUser: 5 }));
        return (await Promise.all(sent)).filter((result) => result === 'claimed').length;
      };
      expect([await counted(sessionId), await counted(other)]).toEqual([3, 2]);
      expect(await enqueue(run({ sessionId: other }), two, { ofSession: 3, ofUser: 5 })).toBe('queue_full');
      expect(await conversations.newestMessages(asha, other, 10)).toHaveLength(2);
      // A running run is not in the queue.
      const [running] = await runRepository.advance(one.writerId);
      expect(running).toBeDefined();
      expect(await enqueue(run({ sessionId: other }), two, { ofSession: 3, ofUser: 6 })).toBe('claimed');
    });

    it('gives a run with an expired lease to one other writer, and rejects writes of the first', async () => {
      const start = await claimed({ ...one, leaseMs: 0 });
      const waiting = run();
      await enqueue(waiting, { ...one, leaseMs: 0 });
      await runRepository.renew({ ...one, leaseMs: 0 }, [{ runId: start.runId, partialText: 'so far “\ud83d' }]);
      const mine = async (lease: Lease) =>
        (await runRepository.takeOrphans(lease, 100, [])).filter((orphan) => orphan.sessionId === sessionId);
      const taken: Awaited<ReturnType<typeof mine>> = [];
      await vi.waitFor(async () => {
        const both = await Promise.all([mine(two), mine({ ...two, writerId: randomUUID() })]);
        taken.push(...both.flat());
        expect(taken).toHaveLength(2);
      });
      const orphan = taken.find(({ runId }) => runId === start.runId);
      expect(orphan).toMatchObject({ ...start, partialText: expect.stringContaining('so far “') });
      expect(await runRepository.find(asha, start.runId)).toMatchObject({ status: 'recovering' });
      expect(await claim(run(), one)).toBe('occupied');
      expect(await runRepository.renew(one, [start])).toEqual([]);
      expect(await runRepository.end(start.runId, one.writerId, 'finished')).toBe(false);
      expect(await mine(one)).toEqual([]);
    });

    it('skips runs with a renewed lease, and takes over those that their writer no longer runs', async () => {
      const [left, renewed] = [await claimed({ ...one, leaseMs: 0 }), run({ sessionId: randomUUID() })];
      await conversations.createSession(asha, { sessionId: renewed.sessionId, createdAt: new Date(0) });
      await claim(renewed, { ...one, leaseMs: 0 });
      expect(await runRepository.renew(one, [{ runId: renewed.runId }])).toEqual([{ runId: renewed.runId }]);
      await vi.waitFor(async () =>
        expect(await runRepository.takeOrphans(two, 100, [])).toMatchObject([{ runId: left.runId }]),
      );
    });

    it('leaves a run to a live writer with an expired lease, unless another one takes it over', async () => {
      const [start, over] = [await claimed({ ...one, leaseMs: 0 }), run()];
      await enqueue(over, { ...one, leaseMs: 0 });
      const idsFor = async (lease: Lease, alive: string[]) =>
        (await runRepository.takeOrphans(lease, 100, alive)).map(({ runId }) => runId);
      await vi.waitFor(async () => expect(await idsFor(one, [start.runId])).toContain(over.runId));
      expect(await runRepository.find(asha, start.runId)).toMatchObject({ status: 'running' });
      expect(await idsFor(two, [start.runId])).toContain(start.runId);
    });

    it('deletes the runs of a deleted session', async () => {
      const start = await claimed(one);
      await conversations.deleteSession(asha, sessionId);
      expect(await runRepository.find(asha, start.runId)).toBeUndefined();
      expect(await runRepository.findLatest(asha, sessionId)).toBeUndefined();
      expect(await runRepository.end(start.runId, one.writerId, 'finished')).toBe(false);
      expect(await runRepository.renew(one, [{ runId: start.runId, partialText: 'late' }])).toEqual([]);
    });

    it('stores the message of each accepted run, and of no other', async () => {
      const first = run();
      const [busy, repeated, waiting] = [run(), { ...run(), requestId: first.requestId }, run()];
      expect(await claim(first, one)).toBe('claimed');
      expect(await claim(busy, one)).toBe('occupied');
      expect(await claim(repeated, one)).toBe('request_id_used');
      expect(await enqueue(waiting, one)).toBe('claimed');
      expect(await claim(run({ ownerDid: 'did:key:bo' }), one)).toBe('no_session');
      expect(await conversations.newestMessages(asha, sessionId, 10)).toEqual([question(first), question(waiting)]);
      expect((await conversations.findSession(asha, sessionId))?.lastUpdatedAt).toEqual(new Date(0));
    });

    it('stores no run when its message cannot be stored', async () => {
      const start = run();
      await conversations.addMessage(asha, sessionId, question({ ...start, runId: 'unknown' }));
      expect(await claim(start, one)).toBe('request_id_used');
      expect(await enqueue(start, one)).toBe('request_id_used');
      expect(await runRepository.listOfSession(asha, sessionId)).toEqual([]);
      expect(await claim(run(), one)).toBe('claimed');
    });

    it('deletes runs that ended long ago', async () => {
      const ended = await claimed(one);
      await runRepository.end(ended.runId, one.writerId, 'finished');
      await runRepository.deleteEnded(60_000);
      expect(await runRepository.find(asha, ended.runId)).toBeDefined();
      await vi.waitFor(async () => {
        await runRepository.deleteEnded(0);
        expect(await runRepository.find(asha, ended.runId)).toBeUndefined();
      });
    });
  });
}

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConversationStore } from '../store/conversation-store.js';
import type { StoredMessage } from '../store/sessions.js';
import type { RunStart } from './log/store.js';
import type { RunRepository } from './run-repository.js';

interface Opened {
  readonly runRepository: RunRepository;
  readonly conversations: ConversationStore;
}

/** Contract tests of runs that end with their answers, for every repository. */
export function endAnsweredContract(name: string, open: () => Opened): void {
  describe(`${name} ends runs with their answers`, () => {
    let opened: Opened;
    let run: RunStart;
    const message = (type: 'human' | 'ai', messageId: string): StoredMessage => ({
      messageId,
      turnId: run.runId,
      type,
      content: `by ${type}`,
      createdAt: new Date(0),
    });
    const contents = async () => {
      const found = await opened.conversations.newestMessages(run.ownerDid, run.sessionId, 9);
      return found.map(({ content }) => content);
    };
    const end = (writerId = 'w', status: 'finished' | 'aborted' = 'finished') =>
      opened.runRepository.endAnswered(run, writerId, status, message('ai', run.requestId), '.5');
    beforeEach(async () => {
      opened = open();
      const ownerDid = `did:key:${randomUUID()}`;
      run = { runId: randomUUID(), ownerDid, sessionId: randomUUID(), requestId: randomUUID() };
      await opened.conversations.createSession(ownerDid, { sessionId: run.sessionId, createdAt: new Date(0) });
      await opened.runRepository.claim(run, { writerId: 'w', leaseMs: 60_000 }, message('human', 'q'));
    });

    it('in one step, once, and starts the next one', async () => {
      expect(await end()).toBe('added');
      expect(await contents()).toEqual(['by human', 'by ai']);
      expect(await opened.runRepository.find(run.ownerDid, run.runId)).toMatchObject({
        status: 'finished',
        textMarks: '.5',
      });
      expect(await end('w', 'aborted')).toBe('duplicate');
      expect(await opened.runRepository.find(run.ownerDid, run.runId)).toMatchObject({ status: 'finished' });
      const next = { ...run, runId: randomUUID(), requestId: randomUUID() };
      expect(await opened.runRepository.claim(next, { writerId: 'w', leaseMs: 9 }, message('human', 'q2'))).toEqual({});
    });

    it('and does not replace their session before', async () => {
      const { conversations } = opened;
      const session = { sessionId: randomUUID(), createdAt: new Date(0), isReplaceable: true };
      await conversations.deleteSession(run.ownerDid, run.sessionId);
      await conversations.createSession(run.ownerDid, session);
      run = { ...run, sessionId: session.sessionId };
      await opened.runRepository.claim(run, { writerId: 'w', leaseMs: 60_000 }, message('human', 'q'));
      const next = () =>
        conversations.createSessionUpTo(1, run.ownerDid, { sessionId: randomUUID(), createdAt: new Date(0) });
      expect(await next()).toBe('full');
      await end();
      expect(await next()).not.toBe('full');
      expect(await conversations.findSession(run.ownerDid, run.sessionId)).toBeUndefined();
    });

    it('but not those of another writer, and stores the answer', async () => {
      expect(await end('another')).toBe('added');
      expect(await opened.runRepository.isHeld(run.runId, 'w')).toBe(true);
    });

    it('without an answer when the session is deleted', async () => {
      await opened.conversations.deleteSession(run.ownerDid, run.sessionId);
      expect(await end()).toBe('absent');
    });
  });
}

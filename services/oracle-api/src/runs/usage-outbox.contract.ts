import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ConversationStore } from '../store/conversation-store.js';

import type { RunRepository } from './run-repository.js';
import type { UsageOutbox } from './usage-outbox.js';

interface Opened {
  readonly usageOutbox: UsageOutbox;
  readonly runRepository: RunRepository;
  readonly conversations: ConversationStore;
}

/** Contract tests for every adapter of the port. */
export function usageOutboxContract(name: string, open: () => Opened): void {
  const begun = async ({ runRepository, conversations }: Opened) => {
    const run = { runId: randomUUID(), ownerDid: `did:key:${randomUUID()}`, sessionId: randomUUID(), requestId: 'q' };
    const { runId: turnId, ownerDid, sessionId } = run;
    const createdAt = new Date(0);
    await conversations.createSession(ownerDid, { sessionId, createdAt });
    const question = { messageId: 'q~human', turnId, type: 'human' as const, content: 'hi', createdAt };
    await runRepository.claim(run, { writerId: 'w', leaseMs: 60_000 }, question);
    return { ...run, part: 0, modelId: 'm', inputTokens: 5, outputTokens: 7, isEstimated: false };
  };

  describe(`${name} stores unreported usage`, () => {
    it('with the end of its run, once, and returns it to one of several callers', async () => {
      const opened = open();
      const turn = await begun(opened);
      const { runId } = turn;
      expect(await opened.runRepository.end(runId, 'w', 'finished', { textMarks: '.5', unreported: turn })).toBe(true);
      expect(await opened.runRepository.find(turn.ownerDid, runId)).toMatchObject({
        status: 'finished',
        textMarks: '.5',
      });
      const taken = await Promise.all([1, 2, 3].map(() => opened.usageOutbox.take(1_000)));
      expect(taken.flat().filter((one) => one.runId === runId)).toEqual([turn]);
      const has = (besides?: number) => opened.usageOutbox.has(runId, besides);
      expect([await has(), await has(1), await has(0), await opened.usageOutbox.has('another')]).toEqual([
        true,
        true,
        false,
        false,
      ]);
      await opened.usageOutbox.drop(turn);
      expect(await has()).toBe(false);
    });

    it('of a run with another writer or a deleted session, and the first report of a part only', async () => {
      const opened = open();
      const [superseded, orphaned] = [await begun(opened), await begun(opened)];
      await opened.conversations.deleteSession(orphaned.ownerDid, orphaned.sessionId);
      expect(await opened.runRepository.end(superseded.runId, 'other', 'interrupted', { unreported: superseded })).toBe(
        false,
      );
      await opened.runRepository.end(orphaned.runId, 'w', 'aborted', { unreported: orphaned });
      const later = { ...superseded, outputTokens: 1 };
      expect(await opened.runRepository.end(superseded.runId, 'w', 'interrupted', { unreported: later })).toBe(true);
      const waitsUntil = new Date(5_000);
      await opened.runRepository.end(superseded.runId, 'w', 'interrupted', {
        unreported: { ...superseded, part: 1, waitsUntil },
      });
      const ids = new Set<string>([superseded.runId, orphaned.runId]);
      const taken = (await opened.usageOutbox.take(1_000)).filter(({ runId }) => ids.has(runId));
      expect(taken).toHaveLength(3);
      expect(taken).toEqual(expect.arrayContaining([superseded, orphaned, { ...superseded, part: 1, waitsUntil }]));
      await Promise.all(taken.map((turn) => opened.usageOutbox.drop(turn)));
    });
  });
}

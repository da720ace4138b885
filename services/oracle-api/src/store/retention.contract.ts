import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RunRepository } from '../runs/run-repository.js';
import type { ConversationStore } from './conversation-store.js';
import type { MessageRetention } from './retention.js';
import { retentionBatchTurns } from './retention.js';
import type { SummaryStore } from './summaries.js';

export interface RetentionSetting {
  readonly retention: MessageRetention;
  readonly conversations: ConversationStore;
  readonly summaries: SummaryStore;
  readonly runRepository: RunRepository;
}

const dayMs = 86_400_000;
const lease = { writerId: 'w', leaseMs: 60_000 };

/** Contract tests for every adapter of the port. */
export function messageRetentionContract(name: string, open: () => RetentionSetting): void {
  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

  async function talk({ conversations, runRepository }: RetentionSetting, ...ages: number[]) {
    const ownerDid = `did:key:${randomUUID()}`;
    const sessionId = randomUUID();
    await conversations.createSession(ownerDid, { sessionId, createdAt: daysAgo(Math.max(...ages)) });
    const runs: string[] = [];
    for (const days of ages) {
      const run = { runId: randomUUID(), ownerDid, sessionId, requestId: randomUUID() };
      const message = { turnId: run.runId, createdAt: daysAgo(days), content: `${days} days ago` };
      await runRepository.claim(run, lease, { ...message, messageId: `${run.runId}.q`, type: 'human' });
      await conversations.addMessage(ownerDid, sessionId, { ...message, messageId: run.requestId, type: 'ai' });
      await runRepository.end(run.runId, lease.writerId, 'finished');
      runs.push(run.runId);
    }
    const contents = async () =>
      (await conversations.newestMessages(ownerDid, sessionId, 1_000)).map(({ content }) => content);
    return { ownerDid, sessionId, runs, contents };
  }
  const forgetAll = async ({ retention }: RetentionSetting, days: number) => {
    while (await retention.forgetOld(days * dayMs));
  };

  describe(`${name} deletes turns past retention`, () => {
    it('as whole turns, with their runs, and no newer ones', async () => {
      const setting = open();
      const { ownerDid, sessionId, runs, contents } = await talk(setting, 40, 31, 29, 0);
      await forgetAll(setting, 30);
      expect(await contents()).toEqual(['29 days ago', '29 days ago', '0 days ago', '0 days ago']);
      expect(await setting.runRepository.listOfSession(ownerDid, sessionId)).toEqual(runs.slice(2));
      await forgetAll(setting, 30);
      expect(await contents()).toHaveLength(4);
    });

    it('with the summaries that include them', async () => {
      const setting = open();
      const [old, young] = [await talk(setting, 40, 20, 0), await talk(setting, 20, 0)];
      const placeOf = async ({ ownerDid, sessionId, runs }: typeof old, turn: number) =>
        (await setting.conversations.messagesUpTo(ownerDid, sessionId, runs[turn] ?? '', { limit: 1 }))[0]?.place ?? 0;
      for (const talked of [old, young]) {
        const summary = { text: 'They talked.', sources: [], upTo: await placeOf(talked, 0) };
        await setting.summaries.advance(talked.ownerDid, talked.sessionId, summary, new Date());
      }
      await forgetAll(setting, 30);
      expect(await setting.summaries.find(old.ownerDid, old.sessionId)).toBeUndefined();
      expect(await setting.summaries.find(young.ownerDid, young.sessionId)).toBeDefined();
    });

    it('with sessions that become empty, but not unused new sessions', async () => {
      const setting = open();
      const { ownerDid, sessionId } = await talk(setting, 40, 35);
      const unused = randomUUID();
      await setting.conversations.createSession(ownerDid, { sessionId: unused, createdAt: daysAgo(90) });
      await forgetAll(setting, 30);
      expect(await setting.conversations.findSession(ownerDid, sessionId)).toBeUndefined();
      expect(await setting.conversations.findSession(ownerDid, unused)).toBeDefined();
    });

    it('except turns with an unfinished run', async () => {
      const setting = open();
      const { ownerDid, sessionId, contents } = await talk(setting, 40);
      const run = { runId: randomUUID(), ownerDid, sessionId, requestId: randomUUID() };
      const question = { turnId: run.runId, createdAt: daysAgo(35), content: 'slow', messageId: 'slow' };
      await setting.runRepository.claim(run, lease, { ...question, type: 'human' });
      await forgetAll(setting, 30);
      expect(await contents()).toEqual(['slow']);
    });

    it('in bounded batches, by one of several callers', async () => {
      const setting = open();
      const ownerDid = `did:key:${randomUUID()}`;
      const sessionId = randomUUID();
      await setting.conversations.createSession(ownerDid, { sessionId, createdAt: daysAgo(40) });
      for (let turn = 0; turn < retentionBatchTurns + 5; turn++) {
        const place = { messageId: `m${turn}`, turnId: `${sessionId}-${turn}`, createdAt: daysAgo(40) };
        await setting.conversations.addMessage(ownerDid, sessionId, { ...place, type: 'human', content: 'old' });
      }
      const left = async () => (await setting.conversations.newestMessages(ownerDid, sessionId, 1_000)).length;
      const tried = await Promise.all(Array.from({ length: 4 }, () => setting.retention.forgetOld(30 * dayMs)));
      expect(tried).toContain(true);
      expect(await left()).toBeLessThanOrEqual(5);
      await forgetAll(setting, 30);
      expect(await left()).toBe(0);
    });
  });
}

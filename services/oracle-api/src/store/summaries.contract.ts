import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConversationStore } from './conversation-store.js';
import type { SummaryStore } from './summaries.js';

const at = new Date(0);

interface Opened {
  readonly summaries: SummaryStore;
  readonly conversations: ConversationStore;
}

/** Contract tests for every adapter of the port. */
export function summaryStoreContract(name: string, open: () => Opened): void {
  describe(`${name} stores summaries of conversations`, () => {
    let opened: Opened;
    let asha: string;
    let sessionId: string;
    beforeEach(async () => {
      opened = open();
      asha = `did:key:${randomUUID()}`;
      sessionId = randomUUID();
      await opened.conversations.createSession(asha, { sessionId, createdAt: at });
    });
    const advance = (upTo: number, text = `up to ${upTo}`, sources: readonly string[] = []) =>
      opened.summaries.advance(asha, sessionId, { text, sources, upTo }, at);
    const find = () => opened.summaries.find(asha, sessionId);

    it('has none at first', async () => {
      expect(await find()).toBeUndefined();
      await advance(7, 'tea “日本”', ['file a"b.pdf', 'tool find']);
      expect(await find()).toEqual({ text: 'tea “日本”', sources: ['file a"b.pdf', 'tool find'], upTo: 7 });
    });

    it('stores only a summary that covers more', async () => {
      for (const upTo of [7, 9, 8]) await advance(upTo);
      await advance(9, 'again');
      expect(await find()).toEqual({ text: 'up to 9', sources: [], upTo: 9 });
    });

    it('stores the longest of many concurrent summaries', async () => {
      await Promise.all([3, 9, 1, 4, 8, 2].map((upTo) => advance(upTo)));
      expect(await find()).toEqual({ text: 'up to 9', sources: [], upTo: 9 });
    });

    it('does not read or write summaries of another user', async () => {
      await opened.summaries.advance('did:key:bo', sessionId, { text: 'mine', sources: [], upTo: 99 }, at);
      expect(await find()).toBeUndefined();
      await advance(1);
      expect(await opened.summaries.find('did:key:bo', sessionId)).toBeUndefined();
    });

    it('accepts any text', async () => {
      await advance(1, 'a\u0000\ud83d');
      expect((await find())?.text).toContain('a');
    });

    it('has none of a deleted session, also not a late one', async () => {
      await advance(1);
      await opened.conversations.deleteSession(asha, sessionId);
      await advance(2);
      expect(await find()).toBeUndefined();
    });
  });
}

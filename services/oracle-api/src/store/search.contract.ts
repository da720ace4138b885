import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ConversationStore } from './conversation-store.js';
import type { MessageSearch } from './search.js';

/** Contract tests for every adapter of the port. */
export function messageSearchContract(
  name: string,
  open: () => { conversations: ConversationStore; search: MessageSearch },
): void {
  const filled = async (owner: string, ...contents: string[]) => {
    const { conversations } = open();
    const sessionId = randomUUID();
    await conversations.createSession(owner, { sessionId, createdAt: new Date(0) });
    for (const [index, content] of contents.entries()) {
      const type = index % 2 === 0 ? ('human' as const) : ('ai' as const);
      const place = { messageId: `m-${index}`, turnId: 't', type, createdAt: new Date(index) };
      await conversations.addMessage(owner, sessionId, { ...place, content });
    }
    return sessionId;
  };
  const newUser = () => `did:key:${randomUUID()}`;

  describe(`${name} finds messages`, () => {
    it('by all of their words, in any case and language, newest first, in all sessions of their owner', async () => {
      const [asha, bo] = [newUser(), newUser()];
      const first = await filled(asha, 'Nataka kupanda MITI ya matunda', 'Panda miti mwezi wa tatu.', 'Asante');
      const second = await filled(asha, 'Miti ya kivuli?');
      await filled(bo, 'miti ya matunda');
      const { conversations, search } = open();
      await conversations.changeSession(asha, second, { title: 'Kivuli' });
      const find = async (query: string) =>
        (await search.search(asha, query, { limit: 10 })).map(({ sessionId, messageId }) => [sessionId, messageId]);
      expect(await find('miti')).toEqual([
        [second, 'm-0'],
        [first, 'm-1'],
        [first, 'm-0'],
      ]);
      expect(await find('matunda miti')).toEqual([[first, 'm-0']]);
      expect(await find('nothing')).toEqual([]);
      const [found] = await search.search(asha, 'kivuli', { limit: 10 });
      expect(found).toEqual({
        sessionId: second,
        title: 'Kivuli',
        messageId: 'm-0',
        type: 'human',
        createdAt: new Date(0),
        snippet: expect.stringContaining('kivuli'),
        position: expect.any(Number),
      });
      expect((await search.search(asha, 'asante', { limit: 10 }))[0]).not.toHaveProperty('title');
    });

    it('on all branches, and a message with several answers once', async () => {
      const asha = newUser();
      const sessionId = await filled(asha, 'Where is the mango tree?');
      const { conversations, search } = open();
      const place = { type: 'human' as const, createdAt: new Date(0) };
      for (const [id, content] of [
        ['again', 'Where is the mango tree?'],
        ['other', 'Where is the mango juice?'],
      ] as const) {
        const branch = { id, insteadOf: 't', path: [], ...(id === 'again' ? { again: 't' } : {}) };
        await conversations.addMessage(asha, sessionId, { ...place, messageId: id, turnId: id, content, branch });
      }
      const found = await search.search(asha, 'mango', { limit: 10 });
      expect(found.map(({ messageId }) => messageId)).toEqual(['other', 'm-0']);
    });

    it('in pages without duplicates', async () => {
      const asha = newUser();
      await filled(asha, ...Array.from({ length: 7 }, (_, index) => `goat ${index}`));
      const { search } = open();
      const seen: string[] = [];
      for (let before: number | undefined; ; ) {
        const page = await search.search(asha, 'goat', { limit: 3, before });
        seen.push(...page.map(({ messageId }) => messageId));
        before = page.at(-1)?.position;
        if (page.length < 3) break;
      }
      expect(seen).toEqual(['m-6', 'm-5', 'm-4', 'm-3', 'm-2', 'm-1', 'm-0']);
    });

    it.each(['', '   ', "'", '%', '_', '\\', '"', '-', '!&|()', 'a\u0000b', ":*'; drop table messages", '🐐', '<b>'])(
      'for any text as a query: %j',
      async (query) => {
        const asha = newUser();
        await filled(asha, 'words of no such kind');
        expect(await open().search.search(asha, query, { limit: 10 })).toEqual([]);
      },
    );

    it('of any length, by the words of their beginning, with a bounded snippet', async () => {
      const asha = newUser();
      const words = Array.from({ length: 200_000 }, (_, index) => `w${index}`).join(' ');
      await filled(asha, `zebra ${words}`, words);
      const found = await open().search.search(asha, 'zebra', { limit: 10 });
      expect(found.map(({ messageId }) => messageId)).toEqual(['m-0']);
      expect(found[0]?.snippet.length).toBeLessThan(1_000);
    });
  });
}

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Memory, RecallStore } from './recall-store.js';

const memory = (content: string, more: Partial<Memory> = {}): Memory => ({
  memoryId: randomUUID(),
  kind: 'fact',
  content,
  createdAt: new Date(1_000),
  ...more,
});

/** Contract of every adapter of the port. */
export function recallStoreContract(name: string, open: () => RecallStore): void {
  const user = () => `did:key:${randomUUID()}`;

  describe(`${name} stores memories`, () => {
    it('returns memories newest first, in pages, and of this user only', async () => {
      const store = open();
      const [asha, bo] = [user(), user()];
      const report = memory('rows and columns', { kind: 'artifact', title: 'Report' });
      const memories = [memory('the first'), memory('the second'), report];
      for (const one of memories) expect(await store.add(asha, one)).toBe('added');
      await store.add(bo, memory('of another user'));
      expect(await store.list(asha, { limit: 2, offset: 0 })).toEqual({ memories: [report, memories[1]], total: 3 });
      expect(await store.list(asha, { limit: 2, offset: 2 })).toEqual({ memories: [memories[0]], total: 3 });
    });

    it('finds one by its id, for its owner only', async () => {
      const store = open();
      const [asha, bo] = [user(), user()];
      const tea = memory('tea');
      await store.add(asha, tea);
      expect(await store.find(asha, tea.memoryId)).toEqual(tea);
      for (const [owner, id] of [
        [bo, tea.memoryId],
        [asha, 'none'],
        [asha, 'x\u0000y'],
      ] as const) {
        expect(await store.find(owner, id)).toBeUndefined();
      }
    });

    it('finds a memory by any of its words, the best match first', async () => {
      const store = open();
      const asha = user();
      const [tea, both, goat] = [
        memory('I drink green tea'),
        memory('My goat drinks tea'),
        memory('A goat called Zuri'),
      ];
      for (const one of [tea, both, goat]) await store.add(asha, one);
      const found = await store.search(asha, 'goat tea', 10);
      expect(found[0]).toEqual(both);
      expect(found).toHaveLength(3);
      expect(await store.search(asha, 'goat tea', 1)).toHaveLength(1);
      expect(await store.search(asha, 'ZURI', 10)).toEqual([goat]);
      expect(await store.search(user(), 'goat', 10)).toEqual([]);
    });

    it('finds a memory by its title', async () => {
      const store = open();
      const asha = user();
      const harvest = memory('12 bags', { kind: 'artifact', title: 'Harvest of maize' });
      await store.add(asha, harvest);
      expect(await store.search(asha, 'maize', 10)).toEqual([harvest]);
    });

    it('accepts any text as a query, including operators and the empty text', async () => {
      const store = open();
      const asha = user();
      await store.add(asha, memory("it's 100% & more | less"));
      for (const query of ['', '   ', "'", '&', '| !', "a:* & <-> b'", '(', '\\', 'x\u0000y']) {
        await expect(store.search(asha, query, 10)).resolves.toEqual(expect.any(Array));
      }
    });

    it('forgets for the owner only, and once', async () => {
      const store = open();
      const asha = user();
      const secret = memory('a secret');
      await store.add(asha, secret);
      expect(await store.remove(user(), secret.memoryId)).toBe(false);
      expect(await store.remove(asha, `${secret.memoryId}\u0000`)).toBe(false);
      expect(await store.remove(asha, secret.memoryId)).toBe(true);
      expect(await store.remove(asha, secret.memoryId)).toBe(false);
      expect(await store.search(asha, 'secret', 10)).toEqual([]);
    });

    it('forgets all of an owner, and no memory of others', async () => {
      const store = open();
      const [asha, bo] = [user(), user()];
      for (const content of ['one', 'two']) await store.add(asha, memory(content));
      await store.add(bo, memory('of another user'));
      expect([await store.removeAll(asha), await store.removeAll(asha)]).toEqual([2, 0]);
      expect((await store.list(asha, { limit: 5, offset: 0 })).total).toBe(0);
      expect((await store.list(bo, { limit: 5, offset: 0 })).total).toBe(1);
    });
  });
}

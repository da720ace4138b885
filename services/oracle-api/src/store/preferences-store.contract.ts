import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PreferencesStore } from './preferences-store.js';

/** What every adapter of the port guarantees. */
export function preferencesStoreContract(name: string, open: () => PreferencesStore): void {
  describe(`${name} keeps preferences`, () => {
    it('has none for a user who never set any', async () => {
      expect(await open().find(`did:key:${randomUUID()}`)).toBeUndefined();
    });

    it('merges what is given into what is there, and keeps each user apart', async () => {
      const store = open();
      const [asha, bo] = [`did:key:${randomUUID()}`, `did:key:${randomUUID()}`];
      const [first, second] = [new Date(1_000), new Date(2_000)];
      expect(await store.merge(asha, { userName: 'Asha', tone: 'warm' }, first)).toEqual({
        userName: 'Asha',
        tone: 'warm',
        updatedAt: first,
      });
      const merged = { userName: 'Asha', tone: 'dry', language: 'sw', updatedAt: second };
      expect(await store.merge(asha, { tone: 'dry', language: 'sw' }, second)).toEqual(merged);
      expect(await store.find(asha)).toEqual(merged);
      expect(await store.find(bo)).toBeUndefined();
    });

    it('loses neither of two merges at one time', async () => {
      const store = open();
      const asha = `did:key:${randomUUID()}`;
      await Promise.all([
        store.merge(asha, { userName: 'Asha' }, new Date(1_000)),
        store.merge(asha, { agentName: 'Jua' }, new Date(1_000)),
      ]);
      expect(await store.find(asha)).toMatchObject({ userName: 'Asha', agentName: 'Jua' });
    });
  });
}

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PreferencesStore } from './preferences.js';
import { roomsPerUser } from './preferences.js';

/** Contract tests for every adapter of the port. */
export function preferencesStoreContract(name: string, open: () => PreferencesStore): void {
  describe(`${name} stores preferences`, () => {
    it('returns none for a user without preferences', async () => {
      expect(await open().find(`did:key:${randomUUID()}`)).toBeUndefined();
    });

    it('merges changes into the stored record, separately for each user', async () => {
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

    it('stores a record for each room of a user, with fallback per field to the record of the user', async () => {
      const store = open();
      const [asha, bo] = [`did:key:${randomUUID()}`, `did:key:${randomUUID()}`];
      const [own, inRoom] = [new Date(1_000), new Date(2_000)];
      const [room, other] = ['!work:example.org', '!home:example.org'];
      await store.merge(asha, { userName: 'Asha', tone: 'warm' }, own);
      expect(await store.find(asha, room)).toEqual({ userName: 'Asha', tone: 'warm', updatedAt: own });
      const seen = { userName: 'Asha', tone: 'dry', language: 'sw', updatedAt: inRoom };
      expect(await store.merge(asha, { tone: 'dry', language: 'sw' }, inRoom, room)).toEqual(seen);
      expect(await store.find(asha, room)).toEqual(seen);
      expect(await store.find(asha)).toEqual({ userName: 'Asha', tone: 'warm', updatedAt: own });
      expect(await store.find(asha, other)).toEqual({ userName: 'Asha', tone: 'warm', updatedAt: own });
      await store.merge(bo, { tone: 'formal' }, own, room);
      expect(await store.find(bo, room)).toEqual({ tone: 'formal', updatedAt: own });
      expect(await store.find(bo)).toBeUndefined();
      expect(await store.find(asha, room)).toEqual(seen);
    });

    it('bounds the number of rooms of a user, and keeps the most recently changed', async () => {
      const store = open();
      const asha = `did:key:${randomUUID()}`;
      for (let at = 0; at <= roomsPerUser; at++) await store.merge(asha, { tone: `${at}` }, new Date(at), `!${at}:x`);
      expect(await store.find(asha, '!0:x')).toBeUndefined();
      expect(await store.find(asha, '!1:x')).toMatchObject({ tone: '1' });
      expect(await store.find(asha, `!${roomsPerUser}:x`)).toMatchObject({ tone: `${roomsPerUser}` });
    }, 60_000);

    it('replaces the record of a user, and not those of rooms and of other users', async () => {
      const store = open();
      const [asha, bo] = [`did:key:${randomUUID()}`, `did:key:${randomUUID()}`];
      const at = new Date(1_000);
      await store.merge(asha, { userName: 'Asha', tone: 'warm' }, at);
      await store.merge(asha, { tone: 'dry' }, at, '!work:example.org');
      await store.merge(bo, { tone: 'formal' }, at);
      const replaced = { language: 'sw', updatedAt: new Date(2_000) };
      expect(await store.replace(asha, { language: 'sw' }, new Date(2_000))).toEqual(replaced);
      expect(await store.find(asha)).toEqual(replaced);
      expect(await store.find(asha, '!work:example.org')).toEqual({ language: 'sw', tone: 'dry', updatedAt: at });
      expect(await store.find(bo)).toEqual({ tone: 'formal', updatedAt: at });
      expect(await store.replace(asha, {}, at)).toEqual({ updatedAt: at });
    });

    it('applies both of two concurrent merges', async () => {
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

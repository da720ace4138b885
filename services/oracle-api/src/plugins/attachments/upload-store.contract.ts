import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { UploadedFile, UploadStore } from './upload-store.js';

interface Opened {
  readonly store: UploadStore;
  readonly addSession: (ownerDid: string, sessionId: string) => Promise<unknown>;
  readonly deleteSession: (ownerDid: string, sessionId: string) => Promise<unknown>;
}

const now = new Date(1_000_000);
const limits = { files: 4, bytes: 100 };

function file(ownerDid: string, content: Buffer | string, more: Partial<UploadedFile> = {}): UploadedFile {
  const bytes = Buffer.from(content);
  const at = { createdAt: now, expiresAt: new Date(now.getTime() + 1_000) };
  const known = { attachmentId: randomUUID(), sessionId: ownerDid, filename: 'a.txt', mediaType: 'text/plain', ...at };
  return { ...known, ownerDid, sizeBytes: bytes.length, bytes, ...more };
}

/** Contract of every adapter of the port. */
export function uploadStoreContract(name: string, open: () => Opened): void {
  /** The session of each owner has the owner's name. */
  function opened() {
    const { store, addSession, deleteSession } = open();
    const someone = async (): Promise<string> => {
      const ownerDid = `did:key:${randomUUID()}`;
      await addSession(ownerDid, ownerDid);
      return ownerDid;
    };
    return { store, someone, deleteSession };
  }

  describe(`${name} stores uploads`, () => {
    it('byte by byte, for their owner only', async () => {
      const { store, someone } = opened();
      const asha = await someone();
      const all = file(asha, Buffer.from(Array.from({ length: 100 }, (_, n) => (n * 37) % 256)));
      expect(await store.add(all, limits)).toBe('added');
      expect(await store.find(asha, all.attachmentId, now)).toEqual(all);
      for (const [owner, id] of [
        [await someone(), all.attachmentId],
        [asha, 'none'],
        [asha, 'x\u0000y'],
      ] as const) {
        expect(await store.find(owner, id, now)).toBeUndefined();
        expect(await store.remove(owner, id)).toBe(false);
      }
      expect(await store.remove(asha, all.attachmentId)).toBe(true);
      expect(await store.find(asha, all.attachmentId, now)).toBeUndefined();
    });

    it('for sessions of the owner, and deletes them with the session', async () => {
      const { store, someone, deleteSession } = opened();
      const [asha, bo] = [await someone(), await someone()];
      for (const sessionId of ['other', 'x\u0000y']) {
        expect(await store.add(file(asha, 'a', { sessionId }), limits)).toBe('no_session');
      }
      const [hers, his] = [file(asha, 'a'), file(bo, 'b')];
      for (const each of [hers, his]) await store.add(each, limits);
      await deleteSession(asha, asha);
      expect(await store.find(asha, hers.attachmentId, now)).toBeUndefined();
      expect(await store.find(bo, his.attachmentId, now)).toEqual(his);
    });

    it('up to a number of bytes per owner, independent of others', async () => {
      const { store, someone } = opened();
      const [asha, bo] = [await someone(), await someone()];
      const first = file(asha, 'x'.repeat(60));
      expect(await store.add(first, limits)).toBe('added');
      expect(await store.add(file(asha, 'x'.repeat(41)), limits)).toBe('full');
      expect(await store.add(file(bo, 'x'.repeat(41)), limits)).toBe('added');
      await store.remove(asha, first.attachmentId);
      expect(await store.add(file(asha, 'x'.repeat(41)), limits)).toBe('added');
    });

    it('up to a number of files per owner', async () => {
      const { store, someone } = opened();
      const asha = await someone();
      for (let count = 0; count < limits.files; count += 1) await store.add(file(asha, ''), limits);
      expect(await store.add(file(asha, ''), limits)).toBe('full');
      expect(await store.removeAll(asha)).toBe(limits.files);
    });

    it('until they expire, and deletes expired ones at later uploads', async () => {
      const { store, someone } = opened();
      const [asha, bo] = [await someone(), await someone()];
      const old = file(asha, 'a');
      await store.add(old, limits);
      expect(await store.find(asha, old.attachmentId, old.expiresAt)).toBeUndefined();
      expect(await store.list(asha, { limit: 10 })).toHaveLength(1);
      await store.add(file(bo, 'b', { createdAt: old.expiresAt, expiresAt: new Date(2 * now.getTime()) }), limits);
      expect(await store.list(asha, { limit: 10 })).toEqual([]);
    });

    it('and lists them in pages, oldest first, without their bytes', async () => {
      const { store, someone } = opened();
      const asha = await someone();
      const files = [3, 1, 2, 2].map((n) => file(asha, 'a', { createdAt: new Date(now.getTime() + n) }));
      for (const each of files) await store.add(each, limits);
      const first = await store.list(asha, { limit: 2 });
      const after = await store.list(asha, { limit: 9, after: first.at(-1) });
      const times = [...first, ...after].map(({ createdAt }) => createdAt.getTime() - now.getTime());
      expect(times).toEqual([1, 2, 2, 3]);
      expect(first[0]).not.toHaveProperty('bytes');
      expect(await store.list(await someone(), { limit: 9 })).toEqual([]);
    });
  });
}

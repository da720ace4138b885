import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ApiKeyStore, StoredApiKey } from './api-key-store.js';

/** Guarantees of every adapter of the port. */
export function apiKeyStoreContract(name: string, open: () => ApiKeyStore): void {
  const keyOf = (ownerDid: string, more: Partial<StoredApiKey> = {}): StoredApiKey => ({
    keyId: randomUUID(),
    ownerDid,
    name: 'nightly report',
    scopes: ['read', 'send'],
    hash: 'hash',
    createdAt: new Date('2026-01-01T00:00:00.000Z'),
    expiresAt: new Date('2026-02-01T00:00:00.000Z'),
    ...more,
  });
  const newUser = () => `did:key:${randomUUID()}`;

  describe(`${name} stores API keys`, () => {
    it('finds a key by its id, with its last use', async () => {
      const store = open();
      const key = keyOf(newUser(), { madeBy: { cid: 'bafy', issuer: 'did:key:a' } });
      expect(await store.add(key, 3)).toBe('added');
      expect(await store.find(key.keyId)).toEqual(key);
      const lastUsedAt = new Date('2026-01-02T00:00:00.000Z');
      await store.noteUse(key.keyId, lastUsedAt);
      expect(await store.find(key.keyId)).toEqual({ ...key, lastUsedAt });
      expect(await store.find('unknown')).toBeUndefined();
    });

    it('lists the keys of one user, newest first', async () => {
      const store = open();
      const [asha, juma] = [newUser(), newUser()];
      const older = keyOf(asha);
      const newer = keyOf(asha, { createdAt: new Date('2026-01-03T00:00:00.000Z') });
      for (const key of [older, newer, keyOf(juma)]) await store.add(key, 3);
      expect(await store.list(asha)).toEqual([newer, older]);
    });

    it('stores at most the maximum per user, also concurrently, without expired ones', async () => {
      const store = open();
      const asha = newUser();
      const added = await Promise.all(Array.from({ length: 8 }, () => store.add(keyOf(asha), 3)));
      expect(added.filter((outcome) => outcome === 'added')).toHaveLength(3);
      const later = keyOf(asha, { createdAt: new Date('2026-02-01T00:00:00.000Z') });
      expect(await store.add(later, 3)).toBe('added');
      expect(await store.list(asha)).toEqual([later]);
    });

    it('deletes a key for its owner only', async () => {
      const store = open();
      const [asha, juma] = [newUser(), newUser()];
      const key = keyOf(asha);
      await store.add(key, 3);
      expect(await store.delete(juma, key.keyId)).toBe(false);
      expect(await store.delete(asha, key.keyId)).toBe(true);
      expect(await store.delete(asha, key.keyId)).toBe(false);
      expect(await store.find(key.keyId)).toBeUndefined();
      expect(await store.delete(asha, 'nul\u0000')).toBe(false);
    });
  });
}

import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { onDatabases } from '../../test/support/on-databases.js';
import { SqlPhoneIdentityStore } from './sql-phone-identity-store.js';

let count = 0;
const fresh = () => {
  count += 1;
  const phone = `+2547${String(count).padStart(8, '0')}`;
  return { phone, did: `did:key:${count}`, sealedSeed: 's', sealedGrant: 'g' };
};

onDatabases((name, database) => {
  describe(`identities of phones in ${name}`, () => {
    const open = () => new SqlPhoneIdentityStore(database().db);

    it('are one per phone for concurrent creations', async () => {
      const store = open();
      const { phone, ...rest } = fresh();
      const stored = await Promise.all(
        [1, 2, 3, 4].map((nr) => store.save({ ...rest, phone, did: `${rest.did}-${nr}` })),
      );
      expect(new Set(stored.map(({ did }) => did)).size).toBe(1);
      expect(await store.find(phone)).toEqual(stored[0]);
      expect(stored[0]?.sessionId).toBeUndefined();
      expect(await store.find('+1')).toBeUndefined();
    });

    it('have one conversation: the first replacement wins', async () => {
      const store = open();
      const { phone } = await store.save(fresh());
      const set = await Promise.all(['a', 'b', 'c'].map((session) => store.setSession(phone, undefined, session)));
      expect(new Set(set).size).toBe(1);
      expect(await store.setSession(phone, 'another', 'd')).toBe(set[0]);
      expect(await store.setSession(phone, set[0], 'e')).toBe('e');
      await store.setGrant(phone, 'g2');
      expect(await store.find(phone)).toMatchObject({ sessionId: 'e', sealedGrant: 'g2' });
    });

    it('are listed with their sealed values, which are replaced unless they have changed', async () => {
      const store = open();
      const { phone, did } = await store.save(fresh());
      const before = { phone, did, sealedSeed: 's', sealedGrant: 'g', sealedLink: undefined };
      expect(await store.listSealed(phone.slice(0, -1), 100)).toContainEqual(before);
      expect(await store.listSealed(phone, 100)).not.toContainEqual(before);
      const after = { ...before, sealedSeed: 's2', sealedGrant: 'g2' };
      expect(await store.replaceSealed({ ...before, sealedGrant: 'x' }, after)).toBe(false);
      expect(await store.replaceSealed(before, after)).toBe(true);
      expect(await store.replaceSealed(before, after)).toBe(false);
      expect(await store.find(phone)).toMatchObject({ sealedSeed: 's2', sealedGrant: 'g2' });
    });

    it('have a daily limit of questions, each counted once', async () => {
      const store = open();
      const { phone } = await store.save(fresh());
      const count = (nr: number) => store.countQuestion(phone, `${phone} ${nr}`, 3);
      expect(await Promise.all([count(1), count(1), count(1), count(2)])).toEqual([true, true, true, true]);
      const others = await Promise.all([count(3), count(4), count(5)]);
      expect(others.filter(Boolean)).toHaveLength(1);
      expect(await Promise.all([count(3), count(4), count(5)])).toEqual(others);
      await database().db.execute(sql`update phone_identities set asked_on = asked_on - 1 where phone = ${phone}`);
      expect(await count(6)).toBe(true);
    });
  });
});

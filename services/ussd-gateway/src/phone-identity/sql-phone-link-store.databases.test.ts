import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { onDatabases } from '../../test/support/on-databases.js';
import { SqlPhoneIdentityStore } from './sql-phone-identity-store.js';
import { SqlPhoneLinkStore } from './sql-phone-link-store.js';

const lifeMs = 600_000;
let count = 0;
const fresh = () => {
  count += 1;
  return { mac: `mac-${count}`, phone: `+2548${String(count).padStart(8, '0')}`, did: `did:key:person-${count}` };
};
const unlinkedDid = 'did:key:nobody';

onDatabases((name, database) => {
  describe(`codes and links of phones in ${name}`, () => {
    const open = () => new SqlPhoneLinkStore(database().db);
    const age = (mac: string) =>
      database().db.execute(sql`update link_codes set until = now() - interval '1 second' where mac = ${mac}`);

    it('a code of a phone returns it once', async () => {
      const store = open();
      const { mac, phone } = fresh();
      await store.saveCode(mac, { phone }, lifeMs);
      expect(await store.typeCode(mac, '+1')).toBe(false);
      const taken = await Promise.all(['a', 'b', 'c'].map((one) => store.takeCode(mac, `did:key:${one}`)));
      expect(taken.filter((one) => one !== undefined)).toEqual([phone]);
    });

    it('a code of a person returns the phone that it was typed on, for that person only', async () => {
      const store = open();
      const { mac, phone, did } = fresh();
      await store.saveCode(mac, { did }, lifeMs);
      expect(await store.takeCode(mac, did)).toBeUndefined();
      expect([await store.typeCode(mac, phone), await store.typeCode(mac, phone)]).toEqual([true, true]);
      expect(await store.typeCode(mac, '+1')).toBe(false);
      expect(await store.takeCode(mac, unlinkedDid)).toBeUndefined();
      expect([await store.takeCode(mac, did), await store.takeCode(mac, did)]).toEqual([phone, undefined]);
    });

    it('a code of another phone or person is not taken over while it is valid', async () => {
      const store = open();
      const [first, second] = [fresh(), fresh()];
      expect(await store.saveCode(first.mac, { did: first.did }, lifeMs)).toBe(true);
      expect(await store.saveCode(first.mac, { did: first.did }, lifeMs)).toBe(true);
      expect(await store.saveCode(first.mac, { did: second.did }, lifeMs)).toBe(false);
      expect(await store.saveCode(first.mac, { phone: second.phone }, lifeMs)).toBe(false);
      await age(first.mac);
      expect(await store.saveCode(first.mac, { phone: second.phone }, lifeMs)).toBe(true);
      expect(await store.takeCode(first.mac, second.did)).toBe(second.phone);
    });

    it('a code is valid for its lifetime, and until its creator makes another', async () => {
      const store = open();
      const [first, second, third] = [fresh(), fresh(), fresh()];
      await store.saveCode(first.mac, { phone: first.phone }, lifeMs);
      await store.saveCode(second.mac, { phone: first.phone }, lifeMs);
      expect(await store.takeCode(first.mac, unlinkedDid)).toBeUndefined();
      await age(second.mac);
      expect(await store.takeCode(second.mac, unlinkedDid)).toBeUndefined();
      await store.saveCode(third.mac, { did: third.did }, lifeMs);
      await age(third.mac);
      expect(await store.typeCode(third.mac, third.phone)).toBe(false);
      expect(await store.purgeCodes(100)).toBe(2);
      expect(await store.purgeCodes(100)).toBe(0);
    });

    it('a phone is linked with one person at a time, until that link ends', async () => {
      const store = open();
      const { phone, did } = fresh();
      await new SqlPhoneIdentityStore(database().db).save({
        phone,
        did: `of ${phone}`,
        sealedSeed: 's',
        sealedGrant: 'g',
      });
      expect(await store.linkOf(phone)).toBeUndefined();
      expect(await store.link(phone, { did, sealedLink: 'one' })).toBe(true);
      expect(await store.link(phone, { did: unlinkedDid, sealedLink: 'other' })).toBe(false);
      expect(await store.link(phone, { did, sealedLink: 'two' })).toBe(true);
      await store.unlink(phone, 'one');
      expect(await store.linkOf(phone)).toEqual({ did, sealedLink: 'two' });
      await store.unlink(phone, 'two');
      expect(await store.linkOf(phone)).toBeUndefined();
    });
  });
});

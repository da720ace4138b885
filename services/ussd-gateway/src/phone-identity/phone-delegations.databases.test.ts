import { randomBytes } from 'node:crypto';
import { type Keyring, keyringOf } from '@mlango/crypto/keyring';
import { converseAbility } from '@mlango/schemas/oracle-delegation';
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { memoryRevocationStore } from '@mlango/ucan-auth/memory-revocation-store';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { onDatabases } from '../../test/support/on-databases.js';
import { endUnusedLinks, runOracleEffects } from '../connectors/oracle/run-oracle-effects.js';
import { scoped } from '../session-scope.js';
import { sqlSubscriberRecords } from '../stored-data/subscriber-data.js';
import { PhoneIdentities } from './phone-identities.js';
import { resealIdentities } from './reseal-identities.js';
import { SqlPhoneIdentityStore } from './sql-phone-identity-store.js';
import { SqlPhoneLinkStore } from './sql-phone-link-store.js';

const oracleDid = 'did:ixo:entity:oracle';
const [oldKey, newKey] = [1, 2].map((nr) => ({ id: `k${nr}`, bytes: Buffer.alloc(32, nr) })) as [Key, Key];
type Key = { id: string; bytes: Buffer };
const person = signerFromSeed(Buffer.alloc(32, 'asha'));
const otherPerson = signerFromSeed(Buffer.alloc(32, 'baraka'));
let phones = 0;
const newPhones = { take: async () => ({ ok: true }) as const };

onDatabases((name, database) => {
  describe(`delegations of a phone in ${name}`, () => {
    /** A phone, its gateway, and an oracle that checks tokens and stores revocations. */
    async function scene(keyring: Keyring = keyringOf([oldKey]), known?: string, service = 'default') {
      phones += known === undefined ? 1 : 0;
      const number = known ?? `+2549${String(phones).padStart(8, '0')}`;
      const phone = scoped(number, service);
      const { db } = database();
      const [store, links] = [new SqlPhoneIdentityStore(db), new SqlPhoneLinkStore(db)];
      const identities = new PhoneIdentities({ store, keyring, oracleDid, randomBytes });
      const identity = await identities.of(phone);
      const auth = createUcanAuth({ audiences: [oracleDid], revocations: memoryRevocationStore() });
      /** Revocations that the oracle refuses: `after` is the number recorded before the outage. */
      const outage = { after: Number.POSITIVE_INFINITY };
      const oracle = {
        revoke: async (_: string, revocation: string) => {
          if (outage.after-- <= 0) throw new Error('the oracle is unavailable');
          const outcome = await auth.revoke(revocation);
          if (!outcome.ok) throw new Error(`not revoked: ${outcome.code}`);
        },
        openSession: async () => 'session',
        sendQuestion: async () => ({ kind: 'failed' as const }),
      };
      const effects = runOracleEffects({
        oracle,
        identities,
        store,
        links,
        questionsPerDay: 5,
        newPhones,
        onQuestionEnded: () => {},
      });
      const request = { phoneNumber: number, service, language: 'en', entries: {} } as never;
      const isAccepted = async (token: string) =>
        (await auth.request({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' }, {}, converseAbility)).ok;
      return {
        phone,
        identity,
        identities,
        store,
        links,
        db,
        outage,
        isAccepted,
        link: async (to = person) => {
          const { token, sealed } = await identities.link(identity, to.did);
          expect(await links.link(phone, { did: to.did, sealedLink: sealed })).toBe(true);
          return token;
        },
        endUnused: () => endUnusedLinks({ oracle, identities, store, links }, 100),
        unlink: (tries = 1) => effects.unlinkPhone(request, { key: 'key', tries, ageMs: 0 } as never),
        accepts: async (delegation: string, signer = person) => {
          const capability = { can: converseAbility, with: identity.did };
          return isAccepted(await mintInvocation({ signer, audience: oracleDid, capability, proofs: [delegation] }));
        },
        /** Whether the gateway itself may converse for the phone. */
        converses: async () => isAccepted(await identities.toConverse((await store.find(phone)) ?? identity)),
      };
    }
    const allOf = async (tokens: readonly string[], accepts: (token: string) => Promise<boolean>) =>
      Promise.all(tokens.map((token) => accepts(token)));

    it('end together when the phone ends its link, for any number of links', async () => {
      const { link, unlink, accepts, links, phone, converses } = await scene();
      const tokens = [await link(), await link(), await link(), await link()];
      expect(await allOf(tokens, accepts)).toEqual([true, true, true, true]);
      expect(await unlink()).toEqual({ result: 'unlinked' });
      expect(await allOf(tokens, accepts)).toEqual([false, false, false, false]);
      expect(await links.linkOf(phone)).toBeUndefined();
      expect(await links.delegationsOf(phone)).toEqual([]);
      expect(await converses()).toBe(true);
      expect(await unlink()).toEqual({ result: 'notLinked' });
    });

    it('of one service neither read nor end those of another service for the same phone', async () => {
      const inDefault = await scene();
      const inClinic = await scene(undefined, inDefault.phone, 'clinic');
      expect(inClinic.identity.did).not.toBe(inDefault.identity.did);
      const [ofDefault, ofClinic] = [await inDefault.link(), await inClinic.link(otherPerson)];
      expect(await inDefault.accepts(ofClinic, otherPerson)).toBe(false);
      expect(await inClinic.accepts(ofDefault)).toBe(false);
      expect(await inClinic.unlink()).toEqual({ result: 'unlinked' });
      expect(await inDefault.accepts(ofDefault)).toBe(true);
      expect(await inDefault.links.linkOf(inDefault.phone)).toBeDefined();
    });

    it('are exported and deleted with their number in all services, and with no other number', async () => {
      const { phone, store, db, link } = await scene();
      const inClinic = await scene(undefined, phone, 'clinic');
      await link();
      await inClinic.link(otherPerson);
      const longer = await scene(undefined, `${phone}1`, 'clinic');
      expect((await store.ofNumber(phone)).map((identity) => identity.phone)).toEqual([phone, `${phone}/clinic`]);
      const records = sqlSubscriberRecords(db);
      expect(await records.readPhone(phone)).toMatchObject({
        identities: [{ service: 'default' }, { service: 'clinic', did: inClinic.identity.did }],
        delegations: [{ kind: 'link' }, { kind: 'link' }],
      });
      await records.removePhone(phone);
      expect(await store.ofNumber(phone)).toEqual([]);
      expect(await inClinic.links.delegationsOf(inClinic.phone)).toEqual([]);
      expect(await store.find(longer.phone)).toBeDefined();
    });

    it('include grants of the gateway that a later grant replaced, but not the grant in use', async () => {
      const before = await scene();
      const turned = await scene(keyringOf([newKey, oldKey]), before.phone);
      const byReplaced = await before.identities.toConverse(before.identity);
      expect(await turned.isAccepted(byReplaced)).toBe(true);
      expect(await turned.converses()).toBe(true);
      await turned.link();
      expect(await turned.unlink()).toEqual({ result: 'unlinked' });
      expect(await turned.isAccepted(byReplaced)).toBe(false);
      expect(await turned.links.delegationsOf(before.phone)).toEqual([]);
      expect(await turned.converses()).toBe(true);
    });

    it('include a link that the previous release stored in the identity only', async () => {
      const { identities, identity, db, phone, link, unlink, accepts } = await scene();
      const { token, sealed } = await identities.link(identity, person.did);
      await db.execute(
        sql`update phone_identities set linked_did = ${person.did}, sealed_link = ${sealed} where phone = ${phone}`,
      );
      const later = await link();
      expect(await unlink()).toEqual({ result: 'unlinked' });
      expect(await allOf([token, later], accepts)).toEqual([false, false]);

      const alone = await identities.link(identity, person.did);
      await db.execute(
        sql`update phone_identities set linked_did = ${person.did}, sealed_link = ${alone.sealed} where phone = ${phone}`,
      );
      expect(await unlink()).toEqual({ result: 'unlinked' });
      expect(await accepts(alone.token)).toBe(false);
    });

    it('include links that the previous release did not delete when it ended the newest', async () => {
      const { db, phone, link, unlink, accepts } = await scene();
      const tokens = [await link(), await link()];
      await db.execute(sql`update phone_identities set linked_did = null, sealed_link = null where phone = ${phone}`);
      expect(await unlink()).toEqual({ result: 'unlinked' });
      expect(await allOf(tokens, accepts)).toEqual([false, false]);
    });

    it('are all revoked by a second attempt after the oracle failed in between', async () => {
      const { link, unlink, accepts, outage, links, phone } = await scene();
      const tokens = [await link(), await link(), await link()];
      outage.after = 1;
      await expect(unlink()).rejects.toThrow('unavailable');
      expect(await links.delegationsOf(phone)).toHaveLength(2);
      outage.after = Number.POSITIVE_INFINITY;
      expect(await unlink(2)).toEqual({ result: 'unlinked' });
      expect(await allOf(tokens, accepts)).toEqual([false, false, false]);
      expect(await links.linkOf(phone)).toBeUndefined();
    });

    it('are at most ten unexpired links, and can be replaced after ending them', async () => {
      const { link, unlink, phone, db } = await scene();
      for (let nr = 1; nr <= 10; nr++) await link();
      await expect(link()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('10 links') });
      await db.execute(
        sql`update phone_delegations set expires_at = now() - interval '1 second' where id in
            (select id from phone_delegations where phone = ${phone} limit 1)`,
      );
      await link();
      await unlink();
      expect(typeof (await link(otherPerson))).toBe('string');
    });

    it('are sealed again on key rotation, and can then be revoked without the old key', async () => {
      const before = await scene();
      const tokens = [await before.link(), await before.link()];
      const both = await scene(keyringOf([newKey, oldKey]), before.phone);
      const done = await resealIdentities(both.store, both.identities);
      expect(done.unopened).toEqual([]);
      expect(await resealIdentities(both.store, both.identities)).toMatchObject({
        resealed: 0,
        delegationsResealed: 0,
      });
      const after = await scene(keyringOf([newKey]), before.phone);
      expect(await after.links.delegationsOf(before.phone)).toHaveLength(2);
      expect(await after.unlink()).toEqual({ result: 'unlinked' });
      expect(await allOf(tokens, after.accepts)).toEqual([false, false]);
    });

    it('end after 60 days without a question or a link of the phone', async () => {
      const { link, accepts, endUnused, phone, db, links, converses } = await scene();
      const tokens = [await link(), await link()];
      const age = (which: ReturnType<typeof sql>, days: number) =>
        db.execute(
          sql`update phone_delegations set expires_at = expires_at - ${`${days} days`}::interval where ${which}`,
        );
      await age(sql`phone = ${phone}`, 59);
      await db.execute(sql`update phone_identities set asked_on = null where phone = ${phone}`);
      expect(await endUnused()).toBe(0);
      await age(sql`phone = ${phone}`, 2);
      await db.execute(sql`update phone_identities set asked_on = current_date - 10 where phone = ${phone}`);
      expect(await endUnused()).toBe(0);
      expect(await allOf(tokens, accepts)).toEqual([true, true]);
      await db.execute(sql`update phone_identities set asked_on = current_date - 62 where phone = ${phone}`);
      const recent = await link();
      expect(await endUnused()).toBe(0);
      await age(sql`phone = ${phone} and expires_at > now() + interval '80 days'`, 61);
      expect(await endUnused()).toBe(1);
      expect(await allOf([...tokens, recent], accepts)).toEqual([false, false, false]);
      expect(await links.linkOf(phone)).toBeUndefined();
      expect(await endUnused()).toBe(0);
      expect(await converses()).toBe(true);
    });

    it('are purged once they have expired, and deleted with their phone', async () => {
      const { link, links, phone, db } = await scene();
      await link();
      await link();
      expect(await links.purgeDelegations(100)).toBeGreaterThanOrEqual(0);
      expect(await links.delegationsOf(phone)).toHaveLength(2);
      await db.execute(
        sql`update phone_delegations set expires_at = now() - interval '1 second' where id in
            (select id from phone_delegations where phone = ${phone} limit 1)`,
      );
      expect(await links.purgeDelegations(100)).toBe(1);
      const records = sqlSubscriberRecords(db);
      expect(await records.readPhone(phone)).toMatchObject({ delegations: [{ kind: 'link' }] });
      await records.removePhone(phone);
      expect(await records.readPhone(phone)).toMatchObject({ delegations: [], identities: [] });
    });
  });
});

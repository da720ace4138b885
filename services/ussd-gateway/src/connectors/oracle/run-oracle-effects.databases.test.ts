import { randomBytes, randomUUID } from 'node:crypto';
import { keyringOf } from '@mlango/crypto/keyring';
import { allowance, memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { onDatabases } from '../../../test/support/on-databases.js';
import { PhoneIdentities } from '../../phone-identity/phone-identities.js';
import { SqlPhoneIdentityStore } from '../../phone-identity/sql-phone-identity-store.js';
import { SqlPhoneLinkStore } from '../../phone-identity/sql-phone-link-store.js';
import { runOracleEffects } from './run-oracle-effects.js';

const perDay = { ofPhone: 20, ofNewPhones: 30 };

onDatabases((name, database) => {
  describe(`questions of phones in ${name}`, () => {
    function scene() {
      const { db } = database();
      const store = new SqlPhoneIdentityStore(db);
      const keyring = keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 1) }]);
      const answered: string[] = [];
      const { askOracle } = runOracleEffects({
        identities: new PhoneIdentities({ store, keyring, oracleDid: 'did:ixo:entity:oracle', randomBytes }),
        store,
        links: new SqlPhoneLinkStore(db),
        questionsPerDay: perDay.ofPhone,
        onQuestionEnded: () => {},
        newPhones: allowance({
          store: memoryRateLimitStore(),
          name: 'new',
          max: perDay.ofNewPhones,
          windowMs: 86_400_000,
        }),
        oracle: {
          openSession: async () => 'session',
          revoke: async () => {},
          sendQuestion: async (_token, { requestId }) => {
            answered.push(requestId);
            return { kind: 'answered', text: 'Sawa.' };
          },
        },
      });
      const number = () => `+2556${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
      const ask = async (phoneNumber: string, key = randomUUID(), tries = 1) => {
        const request = { phoneNumber, service: 'default', language: 'sw', entries: { question: 'Lini?' } };
        const outcome = await askOracle({ ...request, key } as never, { key, tries, ageMs: 0 } as never);
        return 'result' in outcome ? outcome.result : 'pending';
      };
      return { ask, answered, number, db };
    }

    it('of invented phones use up their own share, and phones with earlier questions are answered', async () => {
      const { ask, answered, number, db } = scene();
      const known = number();
      expect(await ask(known)).toBe('answered');
      await db.execute(
        sql`update phone_identities set created_at = now() - interval '25 hours' where phone = ${known}`,
      );
      const results: string[] = [];
      for (let phones = 0; phones < 5; phones += 1) {
        const invented = number();
        for (let questions = 0; questions < 20; questions += 1) results.push(await ask(invented));
      }
      expect(results.filter((result) => result === 'answered')).toHaveLength(perDay.ofNewPhones - 1);
      expect(results.filter((result) => result === 'limited')).toHaveLength(100 - perDay.ofNewPhones + 1);
      expect(answered).toHaveLength(perDay.ofNewPhones);
      expect(await ask(known)).toBe('answered');
    });

    it('are counted once in the share of new phones, for any number of retries', async () => {
      const { ask, number } = scene();
      const [phone, key] = [number(), randomUUID()];
      for (let tries = 1; tries <= perDay.ofNewPhones + 5; tries += 1)
        expect(await ask(phone, key, tries)).toBe('answered');
      expect(await ask(number())).toBe('answered');
    });

    it('over the limit of their phone take nothing from the share of new phones', async () => {
      const { ask, number } = scene();
      const phone = number();
      for (let questions = 0; questions < perDay.ofPhone + 20; questions += 1) await ask(phone);
      const others = [];
      for (let phones = 0; phones < 11; phones += 1) others.push(await ask(number()));
      expect(others).toEqual([...Array(10).fill('answered'), 'limited']);
    });
  });
});

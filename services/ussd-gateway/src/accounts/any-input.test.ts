import { randomBytes } from 'node:crypto';
import { keyringOf } from '@mlango/crypto/keyring';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { emptyDatabase } from '../../test/support/embedded-database.js';
import { runAccountChecks, runAccountEffects } from '../connectors/account/run-account-operations.js';
import { fitsMessage, networkLimits } from '../engine/pages/message-limits.js';
import { menuHopRules } from '../sessions/hop-rules.fixture.js';
import { MemorySessionStore } from '../sessions/memory-session-store.js';
import { outsideOf } from '../sessions/outside.fixture.js';
import { runHop } from '../sessions/run-hop.js';
import { SessionQueue } from '../sessions/with-session-lock.js';
import { AccountStore } from './account-store.js';
import { pinVault } from './pin-vault.js';

const caller = {
  aggregator: 'canonical',
  sessionId: 's',
  phoneNumber: '+260971230567',
  serviceCode: '*384#',
  arrivedAtMs: 0,
};
const vault = pinVault(keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 1) }]));
const customer = { id: 'C0000000A', creationKey: 'first', email: undefined, phone: '+254700000001' };

async function openAccounts() {
  const accounts = new AccountStore(await emptyDatabase());
  const sealedPin = vault.seal(customer.id, '90210');
  await accounts.createCustomer({ ...customer, fullName: '𞤀'.repeat(100), sealedPin }, 1);
  const limits = { attempts: 3, lockMs: 900_000 };
  const all = { store: accounts, vault, limits, accountsPerDay: 100, randomBytes };
  const taker = {
    store: new MemorySessionStore(),
    queue: new SessionQueue(),
    rules: menuHopRules({ outside: outsideOf({ effects: runAccountEffects(all), checks: runAccountChecks(all) }) }),
    sessionTtlMs: 180_000,
    hopDeadlineMs: 5000,
    clock: () => 0,
  };
  return { accounts, taker };
}

/** Paths through the dialogue, and inputs on them. */
const route = fc.constantFrom<string[]>(
  ['2', '2', 'Amina Otieno', '00', '90210', '90210', '1'],
  ['2', '2', '王小明', 'a@b.co', '80421', '80422', '80421', '80421'],
  ['2', '1', 'c000OOOOA', '90210', '1', '98', '98', '0'],
  ['2', '1', 'C0000000A', '90210', '2', '90210', '80421', '80421', '9'],
  ['2', '1', 'C0000000A', '90210', '3', '2', '1', '0', '3', '3'],
  ['2', '1', 'C0000000A', '11112', '11113', '11114', '90210'],
);
const aside = fc.oneof(
  fc.constantFrom('0', '00', '1', '2', '3', '9', '98', '99', '', '90210'),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('*', '')),
);
const inputs = fc
  .array(fc.tuple(route, fc.array(fc.tuple(fc.nat({ max: 7 }), aside), { maxLength: 3 })), {
    minLength: 1,
    maxLength: 2,
  })
  .map((ways) =>
    ways.flatMap(([way, asides]) => asides.reduce((path, [at, input]) => path.toSpliced(at, 0, input), [...way])),
  );

it('any input into accounts gets one CON or END of legal size, the same for a retry, and has one effect', async () => {
  await fc.assert(
    fc.asyncProperty(inputs, async (typed) => {
      const { accounts, taker } = await openAccounts();
      const send = (text: string) => runHop({ ...caller, text }, taker);
      await send('');
      let text = '';
      let created = 1;
      let before: string | undefined;
      for (const input of typed) {
        text = text === '' ? input : `${text}*${input}`;
        if (text === '' || text.length > 182) break;
        const [first, second] = await Promise.all([send(text), send(text)]);
        expect(first.reply).toMatch(/^(?:CON|END) ./);
        expect(fitsMessage(first.reply.slice(4), networkLimits)).toBe(true);
        expect(second.reply).toBe(first.reply);
        const record = first.record ?? second.record;
        const state = record?.position.state;
        if (state === 'accountCreated' && before !== state) created++;
        before = state;
        // By chance its digits may be those of a PIN.
        const { nonce: _nonce, ...told } = record ?? { nonce: '' };
        expect(JSON.stringify(told)).not.toMatch(/(?<![0-9])(?:90210|80421|11112)(?![0-9])/);
      }
      expect(await accounts.listPins('', 100)).toHaveLength(created);
    }),
    { numRuns: 60 },
  );
}, 240_000);

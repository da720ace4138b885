import { endPrograms } from '@mlango/test-services/program';
import { Random } from '@mlango/test-services/random';
import { type FreshDatabase, freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Gateways, secret, webhooksOf } from './gateways.fixture.js';
import { ways } from './ledger.js';
import { openMobileMoney } from './mobile-money.js';
import { Payer } from './payer.fixture.js';

const payments = Number(process.env['MOBILE_MONEY_PAYMENTS'] ?? 200);
const seed = Number(process.env['MOBILE_MONEY_SEED'] ?? Date.now() % 1_000_000);
const atOnce = 20;
const waiting60s = { timeout: 60_000, interval: 500 };

describe.skipIf(postgresUrl === undefined || redisUrl === undefined)('payments on a bad day', () => {
  let close: (() => Promise<unknown>)[] = [];
  let gateways: Gateways;
  let database: FreshDatabase;
  let money: Awaited<ReturnType<typeof openMobileMoney>>;
  const random = new Random(seed);
  beforeAll(async () => {
    const redis = await freshRedis();
    database = await freshDatabase();
    const callbackUrl = () => `${gateways.any(random)}/api/ussd/callbacks/mobileMoney`;
    money = await openMobileMoney({ port: 0, secret, confirmMs: 700, callbackUrl });
    const env = { REDIS_URL: redis.url, DATABASE_URL: database.url, PIN_ENCRYPTION_KEY: 'ab'.repeat(32) };
    gateways = new Gateways({ ...env, WEBHOOKS: webhooksOf(money.url) });
    close = [endPrograms, money.close, redis.drop, database.drop, async () => gateways.remove()];
    await gateways.start(2);
  }, 120_000);
  afterAll(async () => {
    for (const one of close) await one();
  });

  it(`are made and reported once each: ${payments} payments, seed ${seed}`, async () => {
    money.ledger.way = () => random.pick(ways);
    let isOver = false;
    const killing = (async () => {
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, random.pick([500, 1500, 3000])));
        if (!isOver) await gateways.killOne(random);
      }
    })();
    const waiting = Array.from({ length: payments }, (_, index) => `+26097${String(1_000_000 + index)}`);
    const payOne = async (phoneNumber: string) => {
      const payer = new Payer(phoneNumber, gateways, new Random(random.between(0, 2 ** 31)));
      const told = await payer.pay();
      const asked = [...money.ledger.payments.values()].filter(({ phone }) => phone === phoneNumber);
      const made = asked.map(({ status, receipt }) =>
        status === 'paid' ? { kind: 'paid', receipt } : { kind: status },
      );
      expect({ phoneNumber, seed, made, history: payer.history }).toMatchObject({ made: [told] });
    };
    const line = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await payOne(next);
    };
    try {
      await Promise.all(Array.from({ length: atOnce }, line));
    } finally {
      isOver = true;
      await killing;
    }
    expect(money.ledger.payments.size).toBe(payments);
    await expectReceipts();
  }, 600_000);

  /** One message and one log line for each payment, after any faults. */
  async function expectReceipts(): Promise<void> {
    const messages = await vi.waitFor(async () => {
      const rows = await database.read(
        `select key, outcome ->> 'result' as result, place -> 'message' -> 'facts' ->> 'receipt' as receipt
          from effect_intents where follows is not null`,
      );
      expect(rows.filter(({ result }) => result === null)).toEqual([]);
      return rows;
    }, waiting60s);
    const made = [...money.ledger.payments.values()].filter(({ status }) => status === 'paid');
    expect(messages.map(({ receipt }) => String(receipt)).toSorted()).toEqual(
      made.map(({ receipt }) => receipt).toSorted(),
    );
    // Output of a gateway reaches this process with a delay.
    await vi.waitFor(() => {
      const lines = gateways.logged();
      for (const { key, result, receipt } of messages) {
        const sent = lines.filter((line) =>
          line.includes(`"message":"${String(key)}","msg":"message logged, not sent to a phone"`),
        );
        // A gateway killed between the note and the call reports the payment as uncertain.
        const expected = result === 'uncertain' ? Math.min(sent.length, 1) : 1;
        expect({ seed, receipt, result, sent: sent.length }).toEqual({
          seed,
          receipt,
          sent: expected,
          result: result === 'uncertain' ? result : 'sent',
        });
        for (const line of sent) expect(line).toContain(`250 paid, and a fee of 3. Receipt ${String(receipt)}.`);
      }
      expect(lines.filter((line) => line.includes('+26097100'))).toEqual([]);
    }, waiting60s);
  }
});

import { endPrograms } from '@mlango/test-services/program';
import { Random } from '@mlango/test-services/random';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Gateways, secret, webhooksOf } from './gateways.fixture.js';
import { ways } from './ledger.js';
import { openMobileMoney } from './mobile-money.js';
import { Payer } from './payer.fixture.js';

const payments = Number(process.env['MOBILE_MONEY_PAYMENTS'] ?? 200);
const seed = Number(process.env['MOBILE_MONEY_SEED'] ?? Date.now() % 1_000_000);
const atOnce = 20;

describe.skipIf(postgresUrl === undefined || redisUrl === undefined)('payments on a bad day', () => {
  let close: (() => Promise<unknown>)[] = [];
  let gateways: Gateways;
  let money: Awaited<ReturnType<typeof openMobileMoney>>;
  const random = new Random(seed);
  beforeAll(async () => {
    const [redis, database] = await Promise.all([freshRedis(), freshDatabase()]);
    const callbackUrl = () => `${gateways.any(random)}/api/ussd/callbacks/mobileMoney`;
    money = await openMobileMoney({ port: 0, secret, confirmMs: 700, callbackUrl });
    const env = { REDIS_URL: redis.url, DATABASE_URL: database.url, PIN_ENCRYPTION_KEY: 'ab'.repeat(32) };
    gateways = new Gateways({ ...env, WEBHOOKS: webhooksOf(money.url) });
    close = [endPrograms, money.close, redis.drop, database.drop];
    await gateways.start(2);
  }, 120_000);
  afterAll(async () => {
    for (const one of close) await one();
  });

  it(`are made once each, and told: ${payments} of them, seed ${seed}`, async () => {
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
  }, 600_000);
});

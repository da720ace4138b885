import { endPrograms } from '@mlango/test-services/program';
import { Random } from '@mlango/test-services/random';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bank } from '../../services/ussd-gateway/test/model/bank.js';
import { Subscriber } from '../../services/ussd-gateway/test/model/subscriber.js';
import { countCustomers } from '../../services/ussd-gateway/test/support/stored-text.js';
import { killOneThenRestartTheOther, Work } from './disturbance.fixture.js';
import type { RunningProxy } from './doors.fixture.js';
import { lineTo } from './line.fixture.js';
import { found } from './proxies.fixture.js';
import { type Replica, startTwo } from './replica.fixture.js';

const hops = 3000;
const callers = 12;
const lockSeconds = 900;
/** A run repeats its subscribers with the seed that its failure names. */
const seed = Number(process.env['MODEL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

describe.skipIf(postgresUrl === undefined || redisUrl === undefined || found.length === 0)('two USSD gateways', () => {
  let redis: Awaited<ReturnType<typeof freshRedis>>;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let replicas: readonly [Replica, Replica];
  const running: RunningProxy[] = [];

  beforeAll(async () => {
    [redis, database] = await Promise.all([freshRedis(), freshDatabase()]);
    replicas = await startTwo('services/ussd-gateway/dist/main.js', {
      REDIS_URL: redis.url,
      DATABASE_URL: database.url,
      PIN_ENCRYPTION_KEY: 'ab'.repeat(32),
      TRUST_PROXY_ENABLED: 'true',
      LOCKOUT_SECONDS: String(lockSeconds),
      // The resume offer after a redial is not part of the model.
      RESUME_WINDOW_SECONDS: '0',
    });
    const ussd = [replicas[0].address, replicas[1].address] as const;
    const upstreams = { ussd, oracle: ussd, chain: ussd, playground: ussd };
    for (const { program, start } of found) running.push(await start(program, upstreams));
  });
  afterAll(async () => {
    await Promise.all(running.map((proxy) => proxy.stop()));
    await endPrograms();
    await Promise.all([redis?.drop(), database?.drop()]);
  });

  it('lose no caller and no session when one is killed and the other restarted, and repeat no effect', async () => {
    const work = new Work(hops * running.length);
    const banks: Bank[] = [];
    const sent = running.map(async (proxy, index) => {
      let count = 0;
      const each = Array.from({ length: callers }, async (_, caller) => {
        const number = index * callers + caller;
        const bank = new Bank(lockSeconds * 1000, `C${String(number).padStart(8, '0')}`);
        banks.push(bank);
        const random = new Random(seed + number);
        // Each has a number of their own; a session id is that of several.
        const who = { sessionId: `shared-${caller % 3}`, phoneNumber: `+260971${230_000 + number * 7}` };
        const subscriber = new Subscriber(who, { bank, random, line: lineTo(proxy), seen: new Set() });
        while (count < hops || work.goesOn) {
          const typed = await work.doing(() => subscriber.type());
          count += typed;
          work.add(typed);
        }
      });
      await Promise.all(each);
      return count;
    });
    const counts = await Promise.all([...sent, killOneThenRestartTheOther(replicas, work)]).catch((error: unknown) => {
      throw new Error(`after ${work.done} hops of MODEL_SEED=${seed}: ${String(error)}`, { cause: error });
    });
    for (const count of counts.slice(0, -1)) expect(count).toBeGreaterThanOrEqual(hops);
    expect(await countCustomers(database.url)).toBe(banks.flatMap(({ accounts }) => accounts).length);
  }, 120_000);
});

import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { Redis } from 'ioredis';
import { it, vi } from 'vitest';
import { AccountStore } from '../src/accounts/account-store.js';
import { RedisSessionStore } from '../src/sessions/redis-session-store.js';
import { compareWithModel, firstSeed, modelEnv, type World } from './model/compare.js';
import { emptyDatabase } from './support/embedded-database.js';
import { openTestApp, sendHop } from './support/test-app.js';

it.skipIf(redisUrl === undefined)(
  'agrees with the model on two processes that share one Redis',
  async () => {
    const database = await freshRedis();
    const clients = [new Redis(database.url), new Redis(database.url)] as const;
    const nowMs = 1_700_000_000_000;
    const clock = () => nowMs;
    vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
    const accountsDatabase = await emptyDatabase();
    const [one, two] = await Promise.all(
      clients.map((client) =>
        openTestApp({ clock, database: accountsDatabase, store: new RedisSessionStore(client), env: modelEnv }),
      ),
    );
    if (one === undefined || two === undefined) throw new Error('two processes are needed');
    const world: World = {
      accounts: new AccountStore(accountsDatabase),
      nowMs: clock,
      send: async (caller, text, copy) => {
        // The database orders the accounts of a phone by the time of their creation.
        vi.setSystemTime(Date.now() + 1);
        return (await sendHop(copy % 2 === 0 ? one : two, text, { ...caller })).text;
      },
      disturb: async (subscribers, random) => {
        if (!random.chance(0.003)) return;
        await clients[0].flushdb();
        for (const subscriber of subscribers) subscriber.forget();
      },
    };
    try {
      await compareWithModel(world, 5000, firstSeed);
    } finally {
      await Promise.all([one.close(), two.close()]);
      for (const client of clients) client.disconnect();
      await database.drop();
      vi.useRealTimers();
    }
  },
  120_000,
);

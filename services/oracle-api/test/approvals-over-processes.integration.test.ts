import { randomBytes } from 'node:crypto';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { afterEach, describe, expect, it } from 'vitest';
import type { OraclePlugin } from '../src/plugins/api/plugin-kit.js';
import { at, bank, open, type Payment } from './bank-with-approvals.fixture.js';

describe.skipIf(postgresUrl === undefined || redisUrl === undefined)('a pending call with several processes', () => {
  const stores: { drop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.drop();
  });

  async function replicas() {
    const [database, redis] = await Promise.all([freshDatabase(), freshRedis()]);
    stores.push(database, redis);
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      ORACLE_SIGNING_SEED: randomBytes(32).toString('hex'),
      SEAL_KEYS: `test:${randomBytes(32).toString('base64')}`,
    };
    return (plugin: OraclePlugin) => open([plugin], env);
  }

  /** A process that suspends a payment for approval and exits. */
  async function suspendedByExitedProcess() {
    const start = await replicas();
    const paid: Payment[] = [];
    const first = await start(bank(paid));
    const user = await first.newUser();
    const session = await user.openSession();
    await at(first, user).pay(session, 5);
    await first.close();
    return { start, paid, user, session };
  }

  it('is decided once and executed once by concurrent processes', async () => {
    const start = await replicas();
    const paid: Payment[] = [];
    const oracles = [await start(bank(paid)), await start(bank(paid))] as const;
    const user = await oracles[0].newUser();
    const clients = [at(oracles[0], user), at(oracles[1], user)] as const;
    for (let amount = 1; amount <= 10; amount++) {
      const session = await user.openSession();
      await clients[0].pay(session, amount);
      const [call] = await clients[1].waiting();
      const replies = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? clients[0] : clients[1]).settle({ decision: index === 5 ? 'deny' : 'allow' }, call),
        ),
      );
      expect(replies.filter(({ code }) => code === 200)).toHaveLength(1);
      await clients[1].ended(session);
    }
    const denied = 10 - paid.length;
    expect(new Set(paid.map(({ key }) => key)).size).toBe(paid.length);
    expect(denied).toBeLessThan(10);
  });

  it('survives the end of every process, and is executed by a new one', async () => {
    const { start, paid, user, session } = await suspendedByExitedProcess();
    const second = await start(bank(paid));
    const me = at(second, user);
    expect(await me.waiting()).toHaveLength(1);
    expect((await me.settle({ decision: 'allow' })).code).toBe(200);
    await me.ended(session);
    expect(paid).toHaveLength(1);
    expect(await me.answer(session)).toMatchObject({ toolCalls: [{ status: 'done' }] });
  });

  it('does not apply to another version of its tool', async () => {
    const { start, paid, user, session } = await suspendedByExitedProcess();
    const me = at(await start(bank(paid, { version: '2.0.0' })), user);
    await me.settle({ decision: 'always' });
    await me.ended(session);
    expect(await me.answer(session)).toMatchObject({
      toolCalls: [{ status: 'error', output: expect.stringContaining('has changed since the user was asked') }],
    });
    await me.pay(session, 6);
    expect(paid).toEqual([]);
  });
});

import { type DatabaseConnection, openDatabase } from '@mlango/service-kit/database';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { canStartPgBouncer, type RealServer, startPgBouncer } from '@mlango/test-services/servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqlCallers } from '../src/accounts/find-callers.js';
import { migrationsFolder } from '../src/deps/open-accounts.js';
import type { FindCaller } from '../src/sessions/find-caller.js';
import { type CountingProxy, startCountingProxy } from './support/counting-proxy.js';
import { schema } from './support/embedded-database.js';
import { openTestApp, sendHop } from './support/test-app.js';

const logger = createLogger({ service: 'test', level: 'silent' });

describe.skipIf(postgresUrl === undefined)('the round trips to Postgres', () => {
  let fresh: Awaited<ReturnType<typeof freshDatabase>>;
  let proxy: CountingProxy;
  let database: DatabaseConnection<typeof schema>;
  let pooler: RealServer | undefined;
  let app: HttpApp;
  let find: FindCaller;

  beforeEach(async () => {
    fresh = await freshDatabase();
  });
  afterEach(async () => {
    await app.close();
    await database.close();
    await proxy.close();
    await pooler?.remove();
    pooler = undefined;
    await fresh.drop();
  });

  type Way = 'straight to it' | 'behind a pooler';
  const ways: readonly Way[] = canStartPgBouncer ? ['straight to it', 'behind a pooler'] : ['straight to it'];

  async function open(way: Way, latencyMs: number) {
    if (way === 'behind a pooler') pooler = await startPgBouncer({ upstream: fresh.url });
    proxy = await startCountingProxy(pooler?.url ?? fresh.url, latencyMs);
    database = await openDatabase({
      url: proxy.url,
      directUrl: pooler && fresh.url,
      prepare: true,
      dataDir: '',
      schema,
      migrationsFolder,
      logger,
      limits: { maxConnections: 1 },
    });
    await database.migrated;
    find = sqlCallers(database.db, 60_000);
    app = await openTestApp({ database: database.db });
  }

  let sessions = 0;
  /** Plays inputs of one session; returns the last reply, and the round trips of each hop. */
  async function play(inputs: readonly string[], phoneNumber = '+260971230567') {
    const sessionId = `s${++sessions}`;
    await sendHop(app, '', { sessionId, phoneNumber });
    proxy.roundTrips();
    const trips: number[] = [];
    let reply = '';
    for (const index of inputs.keys()) {
      const text = inputs.slice(0, index + 1).join('*');
      reply = (await sendHop(app, text, { sessionId, phoneNumber })).text;
      // An outcome is marked as shown once the reply is sent.
      const subscriber = { aggregator: 'canonical', phoneNumber, serviceCode: '*384#' };
      const trip = proxy.roundTrips();
      await expect.poll(async () => (await find(subscriber)).unacknowledged).toBeUndefined();
      proxy.roundTrips();
      trips.push(trip);
    }
    return { reply, trips };
  }
  const signUp = ['2', '2', 'Amina', '00', '90210', '90210'];
  const idIn = (reply: string) => /C[0-9A-Z]{8}/.exec(reply)?.[0] ?? '';

  it.each(ways)('are at most four for a hop with a PIN, %s', async (way) => {
    await open(way, 0);
    const created = await play(signUp);
    expect(created.trips.slice(0, -1)).toEqual([0, 0, 0, 0, 0]);
    // Its effect, the account, and its outcome.
    expect(created.trips.at(-1)).toBeLessThanOrEqual(4);
    const id = idIn(created.reply);
    for (const wrong of [[], ['11112']]) {
      const user = await play(['2', '1', id, ...wrong, '90210', '2', '11112', '90210', '60748', '60748', '2', '60748']);
      expect(user.reply).toContain('Enter your new 5-digit PIN');
      const costs = user.trips.filter((count) => count > 0);
      expect(costs.length).toBeGreaterThanOrEqual(4);
      for (const count of costs) expect(count).toBeLessThanOrEqual(4);
      await play(['2', '1', id, '60748', '2', '60748', '90210', '90210']);
    }
    const forgot = await play(['2', '1', '00', '90210']);
    expect(forgot.reply).toContain(id);
    expect(forgot.trips.at(-1)).toBeLessThanOrEqual(4);
    const stranger = await play(['2', '1', 'C0000000A', '11112'], '+254700000001');
    expect(stranger.trips).toEqual([0, 0, 0, 2]);
  });

  it.each(ways)('are as few with a distant database, for a log-in with the right PIN, %s', async (way) => {
    await open(way, 100);
    const id = idIn((await play(signUp)).reply);
    const user = await play(['2', '1', id, '90210']);
    expect(user.reply).toMatch(/^CON Welcome, Amina!/);
    expect(user.trips.at(-1)).toBeLessThanOrEqual(4);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endServices, type ServiceProcess, startService } from './support/service-process.js';
import { countCustomers, untilAcknowledged } from './support/stored-text.js';

/** From before a hop begins until well after its end, in ms. */
const momentsMs = [0, 1, 2, 4, 8];

afterEach(endServices);

describe.skipIf(postgresUrl === undefined || redisUrl === undefined)('a hop during the kill of its process', () => {
  let redis: Awaited<ReturnType<typeof freshRedis>>;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  beforeAll(async () => {
    [redis, database] = await Promise.all([freshRedis(), freshDatabase()]);
  });
  afterAll(async () => {
    await endServices();
    await Promise.all([redis.drop(), database.drop()]);
  });
  const open = () =>
    startService({
      REDIS_URL: redis.url,
      DATABASE_URL: database.url,
      PIN_ENCRYPTION_KEY: 'ab'.repeat(32),
      HOP_DEADLINE_MS: '2000',
      ACCOUNTS_PER_PHONE_PER_DAY: '100',
    });

  /** Sends a hop, kills the process after this time, and sends it again to another one. */
  const killIn = async (momentMs: number, other: ServiceProcess, text: string, sessionId: string) => {
    const dying = await open();
    // One hop before, so that its connections are open.
    await dying.hop('', { sessionId: 'warm-up' });
    const cutOff = dying.hop(text, { sessionId }).catch(() => undefined);
    await sleep(momentMs);
    await dying.end('SIGKILL');
    const firstReply = await cutOff;
    const reply = await other.hop(text, { sessionId });
    if (firstReply !== undefined) expect(reply).toBe(firstReply);
    return reply;
  };

  it('has one effect, for a kill at any time, and its retry gets the one reply', async () => {
    const other = await open();
    let id = '';
    for (const [index, momentMs] of momentsMs.entries()) {
      const sessionId = `create-${momentMs}`;
      for (const text of ['', '2', '2*2', '2*2*Amina', '2*2*Amina*00', '2*2*Amina*00*90210']) {
        await other.hop(text, { sessionId });
      }
      let text = '2*2*Amina*00*90210*90210';
      let created = await killIn(momentMs, other, text, sessionId);
      // Killed during the effect: another process runs it after its lease expired, and a later poll shows the outcome.
      while (created.startsWith('CON We are working on it.')) {
        text += '*1';
        created = await other.hop(text, { sessionId });
      }
      expect(created).toContain('Your Customer ID: C');
      id = /Customer ID: (C[0-9A-Z]{8})/.exec(created)?.[1] ?? '';
      await untilAcknowledged(database.url);
      expect(await countCustomers(database.url)).toBe(index + 1);
    }
    for (const momentMs of momentsMs) {
      const sessionId = `guess-${momentMs}`;
      const base = `2*1*${id}`;
      for (const text of ['', '2', '2*1', base]) await other.hop(text, { sessionId });
      expect(await killIn(momentMs, other, `${base}*11112`, sessionId)).toContain('Attempts left: 2');
      expect(await other.hop(`${base}*11112*90210`, { sessionId })).toMatch(/^CON Welcome, Amina!/);
    }
  }, 120_000);

  it('is shown after a redial at another process: its effect has happened once, or never began', async () => {
    const other = await open();
    const replies: string[] = [];
    for (const [index, momentMs] of [0, 1, 2, 3, 4, 6, 8].entries()) {
      const phoneNumber = `+2547000001${String(index).padStart(2, '0')}`;
      const [first, redial] = [`lost-${momentMs}`, `redial-${momentMs}`].map((sessionId) => ({
        sessionId,
        phoneNumber,
      }));
      const before = await countCustomers(database.url);
      for (const text of ['', '2', '2*2', '2*2*Amina', '2*2*Amina*00', '2*2*Amina*00*90210'])
        await other.hop(text, first);
      const dying = await open();
      await dying.hop('', { sessionId: 'warm-up' });
      const cutOff = dying.hop('2*2*Amina*00*90210*90210', first).catch(() => undefined);
      await sleep(momentMs);
      await dying.end('SIGKILL');
      const firstReply = await cutOff;
      let reply = await other.hop('', redial);
      for (let text = '1'; reply.startsWith('CON We are working on it.'); text += '*1')
        reply = await other.hop(text, redial);
      const created = (await countCustomers(database.url)) - before;
      if (firstReply !== undefined)
        expect({ firstReply, created }).toEqual({ firstReply: expect.stringContaining('Customer ID: C'), created: 1 });
      else if (created === 1) expect(reply).toContain('Your Customer ID: C');
      else
        expect({ reply, created }).toEqual({
          reply: expect.stringMatching(/^CON (Welcome|Your last session)/),
          created: 0,
        });
      replies.push(reply);
    }
    expect(replies.length).toBe(7);
  }, 120_000);
});

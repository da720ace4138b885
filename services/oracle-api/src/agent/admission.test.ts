import type { ServiceError } from '@mlango/service-kit/errors';
import { allowance, memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { describe, expect, it } from 'vitest';
import { headersOf, newSession, testApp } from '../../test/app.fixture.js';
import { testPlugin } from '../plugins/api/plugin.fixture.js';
import { StorageLimits } from '../store/storage-limits.js';
import { type AdmissionParts, admit, DailyMessages, openGate } from './admission.js';
import type { PluginReply } from './converse.js';

const [asha, bo] = ['did:key:asha', 'did:key:bo'];

describe('the daily messages of a user', () => {
  it('are counted from midnight to midnight in UTC, for each user', async () => {
    let now = '2026-03-01T23:59:30.000Z';
    const daily = new DailyMessages(memoryRateLimitStore(), 2, () => new Date(now));
    await daily.take(asha);
    await daily.take(asha);
    await expect(daily.take(asha)).rejects.toMatchObject({
      code: 'rate_limited',
      limiter: 'messages_per_day',
      headers: { 'retry-after': '30' },
    });
    await daily.take(bo);
    now = '2026-03-02T00:00:00.000Z';
    await daily.take(asha);
  });

  it('are unlimited for 0', async () => {
    const daily = new DailyMessages(memoryRateLimitStore(), 0, () => new Date());
    for (let count = 0; count < 100; count++) await daily.take(asha);
  });

  it.each([
    ['a turn that begins', async () => ({ kind: 'started' }), 'limited'],
    ['no turn', async () => ({ kind: 'busy' }), 'admitted'],
    ['a failure', () => Promise.reject(new Error('broken')), 'admitted'],
  ])('are given back when no turn begins: %s', async (_what, begin, next) => {
    const free = async () => ({ ok: true as const });
    const parts = {
      gate: openGate,
      dailyMessages: new DailyMessages(memoryRateLimitStore(), 1, () => new Date()),
      addresses: { turns: { take: free, giveBack: async () => undefined } },
      storage: { take: async () => async () => undefined },
    };
    const send = { ownerDid: asha, sessionId: 's', runId: 'r', address: undefined, message: 'hi' };
    await admit<{ kind: string }>(parts, send, begin).catch(() => undefined);
    const second = admit(parts, send, async (allowed) => allowed.then(() => ({ kind: 'started' })));
    expect(
      await second.then(
        () => 'admitted',
        () => 'limited',
      ),
    ).toBe(next);
  });
});

describe('the allowances of an address', () => {
  const address = '192.0.2.1';
  const free = async () => async () => undefined;

  /** Room for one turn, its message and its rows. */
  function setUp(changed: Partial<AdmissionParts> = {}) {
    const store = memoryRateLimitStore();
    const limit = (name: string, max: number) => allowance({ store, name, max, windowMs: 60_000 });
    const stored = { bytes: limit('bytes', 2), rows: limit('rows', 4) };
    const parts = {
      gate: openGate,
      dailyMessages: { take: free },
      addresses: { turns: limit('turns', 1) },
      storage: new StorageLimits(stored, { isFull: () => false }),
      ...changed,
    };
    return async (ownerDid: string, begin: () => Promise<{ kind: string }>) => {
      const send = { ownerDid, sessionId: 's', runId: 'r', address, message: 'hi' };
      const { kind } = await admit(parts, send, async (allowed) => allowed.then(begin)).catch(
        (error: ServiceError) => ({
          kind: error.limiter ?? error.message,
        }),
      );
      return kind;
    };
  }
  const started = async () => ({ kind: 'started' });

  it.each([
    ['busy', async () => ({ kind: 'busy' })],
    ['database away', () => Promise.reject(new Error('database away'))],
  ])('are given back when no turn begins: %s', async (outcome, begin) => {
    const send = setUp();
    expect(await send(asha, begin)).toBe(outcome);
    expect(await send(asha, started)).toBe('started');
    expect(await send(asha, started)).toMatch(/turns|storage/);
  });

  it('are given back when the user has reached the daily limit', async () => {
    const send = setUp({
      dailyMessages: { take: (did) => (did === asha ? Promise.reject(new Error('daily')) : free()) },
    });
    expect(await send(asha, started)).toBe('daily');
    expect(await send(bo, started)).toBe('started');
  });
});

describe('the admission of messages', () => {
  it('is the same for plugins and routes', async () => {
    const heard: PluginReply[] = [];
    const speaking = testPlugin('speaking', {
      getRoutes: ({ converse }) => [
        (app) =>
          void app.post('/speak', async () => {
            const said = { ownerDid: 'did:speaking:u', conversation: 'c', requestId: `r-${heard.length}`, text: 'hi' };
            heard.push(await converse(said));
            return {};
          }),
      ],
    });
    const { app } = await testApp({ plugins: [speaking], messagesPerUserPerDay: 1 });
    const headers = await headersOf('a');
    const speak = () => app.inject({ method: 'POST', url: '/speak', headers });
    await speak();
    await speak();
    const session = await newSession(app, headers);
    const say = () => app.inject({ method: 'POST', url: `/messages/${session}`, headers, payload: { message: 'hi' } });
    expect([(await say()).statusCode, (await say()).statusCode]).toEqual([200, 429]);
    expect(heard).toMatchObject([{ kind: 'answered' }, { kind: 'limited', message: expect.stringContaining('today') }]);
    await app.close();
  });
});

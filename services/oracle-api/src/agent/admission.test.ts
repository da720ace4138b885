import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { describe, expect, it } from 'vitest';
import { headersOf, newSession, testApp } from '../../test/app.fixture.js';
import { testPlugin } from '../plugins/api/plugin.fixture.js';
import { admit, DailyMessages, openGate } from './admission.js';
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
      addresses: { turns: { take: free } },
      storage: { take: async () => undefined },
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

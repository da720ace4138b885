import { freshRedisClient, redisUrl } from '@mlango/test-services/real-redis';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { menuHopRules } from '../../src/sessions/hop-rules.fixture.js';
import { savedKeysOf, shardCount } from '../../src/sessions/redis-session-keys.js';
import { RedisSessionStore } from '../../src/sessions/redis-session-store.js';
import { type HopDeps, runHop } from '../../src/sessions/run-hop.js';
import type { SessionKey } from '../../src/sessions/session-store.js';
import { SessionQueue } from '../../src/sessions/with-session-lock.js';

describe.skipIf(redisUrl === undefined)('a hop with Redis', () => {
  let redis: Redis;
  let drop: () => Promise<void>;
  const sent: string[] = [];

  beforeAll(async () => {
    ({ client: redis, drop } = await freshRedisClient());
    const send = redis.sendCommand.bind(redis);
    redis.sendCommand = (command, stream) => {
      sent.push(command.name);
      return send(command, stream);
    };
  });

  afterAll(() => drop());

  const openDeps = (): HopDeps => ({
    store: new RedisSessionStore(redis),
    queue: new SessionQueue(),
    rules: menuHopRules(),
    sessionTtlMs: 60_000,
    resumeWindowMs: 60_000,
    hopDeadlineMs: 5000,
    clock: Date.now,
  });
  const hop = (sessionId: string, text: string) => ({
    aggregator: 'canonical',
    sessionId,
    phoneNumber: '+260971230567',
    serviceCode: '*384#',
    text,
    arrivedAtMs: Date.now(),
  });

  /** All stored values of a session, and its remaining time. */
  const stateOf = async (key: SessionKey & { readonly serviceCode: string }) => {
    const { session, lock, resumePoint } = savedKeysOf(key, key.serviceCode);
    const [stored, held, left] = await redis.mget(session, lock, resumePoint);
    return { stored, held, left, msLeft: await redis.pttl(session) };
  };

  it('takes two round trips if it changes the session', async () => {
    const deps = openDeps();
    // Loads the scripts.
    for (const text of ['1', '1', '1*2', '1*2**']) await runHop(hop('scripts', text), deps);
    const hops: readonly (readonly [string, string, string])[] = [
      ['first', '', 'dial'],
      ['first', '1', 'input'],
      ['first', '1*2', 'input'],
      ['first', '1*2', 'repeat'],
      ['redial', '', 'dial'],
      ['redial', '1', 'input'],
      ['redial', '1**', 'input'],
      ['redial', '1***1', 'expired'],
      ['lost', '1*2', 'replay'],
    ];
    for (const [sessionId, text, kind] of hops) {
      sent.length = 0;
      expect((await runHop(hop(sessionId, text), deps)).kind).toBe(kind);
      expect(sent).toEqual(['evalsha', 'evalsha']);
    }
  });

  it('that is sent to two processes at once gets one reply, and runs once', async () => {
    const replicas = [openDeps(), openDeps()];
    const own = (text: string) => ({ ...hop('twice', text), phoneNumber: '+260971230561' });
    for (const [text, hops] of [
      ['', 1],
      ['1', 2],
      ['1*2', 3],
      ['1*2*0', 4],
    ] as const) {
      const answers = await Promise.all([...replicas, ...replicas].map((deps) => runHop(own(text), deps)));
      expect(new Set(answers.map(({ reply }) => reply)).size).toBe(1);
      expect((await replicas[0]?.store.findLive('twice', ['canonical']))?.hops).toBe(hops);
    }
  });

  it('finds a session by its id alone in two round trips, for any number of live ones, in one scope or several', async () => {
    const deps = openDeps();
    await runHop({ ...hop('by-id', ''), phoneNumber: '+260971230569' }, deps);
    await deps.store.findLive('by-id', ['canonical']);
    for (const lines of [['canonical'], ['canonical', 'canonical/clinic']]) {
      sent.length = 0;
      expect((await deps.store.findLive('by-id', lines))?.phoneNumber).toBe('+260971230569');
      // One lookup of each shard, all at once, and then the session.
      expect(sent).toEqual([...Array.from({ length: shardCount * lines.length }, () => 'evalsha'), 'get']);
    }
    expect(await deps.store.findLive('by-id', ['hubtel'])).toBeUndefined();
  });

  it('is read while the limits of the subscriber are checked, and changes nothing if a limit is exceeded', async () => {
    const deps = openDeps();
    const limited = (text: string) => ({ ...hop('limited', text), phoneNumber: '+260971230570' });
    for (const text of ['', '1']) await runHop(limited(text), deps);
    const before = await stateOf(limited(''));
    sent.length = 0;
    let refuse: (error: Error) => void = () => {};
    const admitted = new Promise<void>((_, reject) => {
      refuse = reject;
    });
    const answer = runHop(limited('1*0'), deps, 0, admitted);
    await expect.poll(() => sent).toEqual(['evalsha']);
    refuse(new Error('too many'));
    await expect(answer).rejects.toThrow('too many');
    const after = await stateOf(limited(''));
    expect(after).toEqual({ ...before, msLeft: expect.any(Number) });
    expect(after.msLeft).toBeLessThanOrEqual(before.msLeft);
    expect((await runHop(limited('1*2'), deps)).state).toBe('infoTopic');
  });
});

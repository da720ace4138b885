import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerUnderLock, type SessionParts } from './answer-under-lock.js';
import { menuHopRules } from './hop-rules.fixture.js';
import { shardCount } from './redis-session-keys.js';
import { RedisSessionStore } from './redis-session-store.js';
import { SessionQueue } from './session-queue.js';

describe.skipIf(redisUrl === undefined)('a hop with Redis', () => {
  let database: Awaited<ReturnType<typeof freshRedis>>;
  let redis: Redis;
  const sent: string[] = [];

  beforeAll(async () => {
    database = await freshRedis();
    redis = new Redis(database.url);
    const send = redis.sendCommand.bind(redis);
    redis.sendCommand = (command, stream) => {
      sent.push(command.name);
      return send(command, stream);
    };
  });

  afterAll(async () => {
    redis.disconnect();
    await database.drop();
  });

  const openTaker = (): SessionParts => ({
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
  });

  it('takes two round trips, whatever it is: a dial, an input, a retry, a redial, an end', async () => {
    const taker = openTaker();
    // Redis gets to know the scripts.
    for (const text of ['', '1', '1', '1**']) await answerUnderLock(hop('scripts', text), taker);
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
      expect((await answerUnderLock(hop(sessionId, text), taker)).kind).toBe(kind);
      expect(sent).toEqual(['evalsha', 'evalsha']);
    }
  });

  it('finds a session by its id alone in two, however many are live, on one line or on several', async () => {
    const taker = openTaker();
    await answerUnderLock({ ...hop('by-id', ''), phoneNumber: '+260971230569' }, taker);
    await taker.store.findLive('by-id', ['canonical']);
    for (const lines of [['canonical'], ['canonical', 'canonical/clinic']]) {
      sent.length = 0;
      expect((await taker.store.findLive('by-id', lines))?.phoneNumber).toBe('+260971230569');
      // One look at each shard, all at once, and then at the session.
      expect(sent).toEqual([...Array.from({ length: shardCount * lines.length }, () => 'evalsha'), 'get']);
    }
    expect(await taker.store.findLive('by-id', ['hubtel'])).toBeUndefined();
  });

  it('reads its session while it is found out whether the subscriber may take hops, and does nothing if not', async () => {
    const taker = openTaker();
    const limited = (text: string) => ({ ...hop('limited', text), phoneNumber: '+260971230568' });
    await answerUnderLock(limited(''), taker);
    sent.length = 0;
    let refuse: (error: Error) => void = () => {};
    const admitted = new Promise<void>((_, reject) => {
      refuse = reject;
    });
    const answer = answerUnderLock(limited('1'), taker, 0, admitted);
    await expect.poll(() => sent).toEqual(['evalsha']);
    refuse(new Error('too many'));
    await expect(answer).rejects.toThrow('too many');
    expect((await taker.store.findLive('limited', ['canonical']))?.position.state).toBe('preMenu');
    expect((await answerUnderLock(limited('1'), taker)).state).toBe('knowMore');
  });
});

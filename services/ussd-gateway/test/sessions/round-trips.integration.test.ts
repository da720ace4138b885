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

  const openTaker = (): HopDeps => ({
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

  /** All that is stored of a session, and how long it is yet. */
  const stateOf = async (key: SessionKey & { readonly serviceCode: string }) => {
    const { session, lock, place } = savedKeysOf(key, key.serviceCode);
    const [stored, held, left] = await redis.mget(session, lock, place);
    return { stored, held, left, msLeft: await redis.pttl(session) };
  };

  it('takes one round trip where nobody else was at its session: a dial, an input, an end; else two, whatever it is', async () => {
    const taker = openTaker();
    // Redis gets to know the scripts.
    for (const text of ['1', '1', '1*2', '1*2**']) await runHop(hop('scripts', text), taker);
    const hops: readonly (readonly [string, string, string, number])[] = [
      ['first', '', 'dial', 1],
      ['first', '1', 'input', 1],
      ['first', '1*2', 'input', 1],
      ['first', '1*2', 'repeat', 2],
      // It is offered to go on.
      ['redial', '', 'dial', 2],
      ['redial', '1', 'input', 1],
      ['redial', '1**', 'input', 1],
      ['redial', '1***1', 'expired', 2],
      ['lost', '1*2', 'replay', 2],
    ];
    for (const [sessionId, text, kind, trips] of hops) {
      sent.length = 0;
      expect((await runHop(hop(sessionId, text), taker)).kind).toBe(kind);
      expect(sent).toEqual(Array.from({ length: trips }, () => 'evalsha'));
    }
  });

  it('takes two where another process was at its session, and goes on from there', async () => {
    const [one, two] = [openTaker(), openTaker()];
    const own = (text: string) => ({ ...hop('shared', text), phoneNumber: '+260971230560' });
    const states: (string | undefined)[] = [];
    for (const [text, taker] of [
      ['', one],
      ['1', two],
      ['1*2', one],
      ['1*2*0', one],
      ['1*2*0*0', two],
    ] as const) {
      sent.length = 0;
      states.push((await runHop(own(text), taker)).state, String(sent.length));
    }
    expect(states).toEqual(['preMenu', '1', 'knowMore', '2', 'infoTopic', '2', 'knowMore', '1', 'preMenu', '2']);
  });

  it('that is sent to two processes at once gets one reply, and is run once', async () => {
    const takers = [openTaker(), openTaker()];
    const own = (text: string) => ({ ...hop('twice', text), phoneNumber: '+260971230561' });
    for (const [text, hops] of [
      ['', 1],
      ['1', 2],
      ['1*2', 3],
      ['1*2*0', 4],
    ] as const) {
      const answers = await Promise.all([...takers, ...takers].map((taker) => runHop(own(text), taker)));
      expect(new Set(answers.map(({ reply }) => reply)).size).toBe(1);
      expect((await takers[0]?.store.findLive('twice', ['canonical']))?.hops).toBe(hops);
    }
  });

  it('finds a session by its id alone in two, however many are live, on one line or on several', async () => {
    const taker = openTaker();
    await runHop({ ...hop('by-id', ''), phoneNumber: '+260971230569' }, taker);
    await taker.store.findLive('by-id', ['canonical']);
    for (const lines of [['canonical'], ['canonical', 'canonical/clinic']]) {
      sent.length = 0;
      expect((await taker.store.findLive('by-id', lines))?.phoneNumber).toBe('+260971230569');
      // One look at each shard, all at once, and then at the session.
      expect(sent).toEqual([...Array.from({ length: shardCount * lines.length }, () => 'evalsha'), 'get']);
    }
    expect(await taker.store.findLive('by-id', ['hubtel'])).toBeUndefined();
  });

  it.each([
    ['saved', 'the process that has', 0],
    ['read', 'another process than the one that has', 1],
  ] as const)(
    'is %s while it is found out whether the subscriber may take hops, by %s answered last, and changes nothing if not',
    async (_, __, other) => {
      const takers = [openTaker(), openTaker()] as const;
      const taker = takers[other];
      const limited = (text: string) => ({ ...hop(`limited-${other}`, text), phoneNumber: `+26097123057${other}` });
      for (const text of ['', '1']) await runHop(limited(text), takers[0]);
      const before = await stateOf(limited(''));
      sent.length = 0;
      let refuse: (error: Error) => void = () => {};
      const admitted = new Promise<void>((_, reject) => {
        refuse = reject;
      });
      const answer = runHop(limited('1*0'), taker, 0, admitted);
      await expect.poll(() => sent).toEqual(['evalsha']);
      refuse(new Error('too many'));
      await expect(answer).rejects.toThrow('too many');
      const after = await stateOf(limited(''));
      expect(after).toEqual({ ...before, msLeft: expect.any(Number) });
      expect(after.msLeft).toBeLessThanOrEqual(before.msLeft);
      expect((await runHop(limited('1*2'), taker)).state).toBe('infoTopic');
    },
  );
});

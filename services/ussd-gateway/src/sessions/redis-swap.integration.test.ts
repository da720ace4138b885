import { freshRedisClient, redisUrl } from '@mlango/test-services/real-redis';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keysOf } from './redis-session-keys.js';
import { RedisSessionStore } from './redis-session-store.js';
import type { ResumeUpdate } from './resume-point.js';
import { type SessionRecord, storedText } from './session-record.js';
import { anyRecord } from './session-store.fixture.js';
import { expiredRetentionMs } from './session-store.js';

// In one script: no key expires between the list and its TTL.
const readTtls =
  "local left = {} for i, key in ipairs(redis.call('KEYS', '*')) do left[i] = redis.call('PTTL', key) end return left";

describe.skipIf(redisUrl === undefined)('a session that is saved without being held', () => {
  let redis: Redis;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ client: redis, drop } = await freshRedisClient());
  });
  afterAll(() => drop());

  // Longer than a test may take.
  const lockMs = 60_000;
  const liveMs = 600_000;
  const open = () => new RedisSessionStore(redis);
  const swap = (
    store: RedisSessionStore,
    known: SessionRecord | undefined,
    next: SessionRecord,
    legacy?: ResumeUpdate,
  ) => store.swap(known, next, lockMs, liveMs, legacy);
  const stored = (record: SessionRecord) => redis.get(keysOf(record).session);
  const placeOf = ({ sessionId, flow, position: place }: SessionRecord): ResumeUpdate => ({
    point: { sessionId, flow, place },
    retentionMs: 60_000,
  });

  it('is saved by who saved it last, and by who knows of none, and nobody has to wait after', async () => {
    const store = open();
    const first = anyRecord();
    expect(store.lastSaved(first)).toBeUndefined();
    expect(await swap(store, undefined, first)).toMatchObject({ kind: 'saved' });
    for (let hop = 1; hop < 4; hop++) {
      const known = store.lastSaved(first);
      const next = { ...first, message: `hop ${hop}` };
      const { kind, ...came } = await swap(store, known, next);
      expect(kind).toBe('saved');
      expect('leftMs' in came && came.leftMs).toBeGreaterThan(liveMs / 2);
      expect(await stored(first)).toBe(storedText(next));
      expect(store.lastSaved(first)).toEqual(next);
    }
    expect(await store.listLive('default')).toEqual([first.sessionId]);
    expect(await store.hold(first, lockMs)).toMatchObject({ kind: 'held', session: { phase: 'live' } });
  });

  it('is held and read where another process has saved it since', async () => {
    const [one, two] = [open(), open()];
    const first = anyRecord();
    const theirs = { ...first, message: 'theirs' };
    await swap(one, undefined, first);
    expect(await swap(two, undefined, theirs)).toMatchObject({
      kind: 'held',
      session: { phase: 'live', record: first },
    });
    const hold = await two.hold(first, lockMs);
    expect(hold.kind).toBe('busy');
    await redis.del(keysOf(first).lock);
    expect(await swap(two, first, theirs)).toMatchObject({ kind: 'saved' });
    const found = await swap(one, one.lastSaved(first), { ...first, message: 'mine' });
    expect(found).toMatchObject({ kind: 'held', session: { phase: 'live', record: theirs } });
    expect(await stored(first)).toBe(storedText(theirs));
    expect(one.lastSaved(first)).toBeUndefined();
    const mine = { ...first, message: 'mine after all' };
    expect(found.kind === 'held' && (await one.save(found.lock, mine, liveMs))).toBe(true);
    expect(await stored(first)).toBe(storedText(mine));
  });

  it('stays as it is while somebody holds it', async () => {
    const store = open();
    const first = anyRecord();
    await swap(store, undefined, first);
    const hold = await open().hold(first, lockMs);
    expect(hold.kind).toBe('held');
    expect(await swap(store, first, { ...first, message: 'next' })).toEqual({ kind: 'busy' });
    expect(await stored(first)).toBe(storedText(first));
  });

  it('is held and found gone where its time is over, or it has ended', async () => {
    const store = open();
    const [short, ended] = [anyRecord(), anyRecord()];
    await swap(store, undefined, short);
    await redis.pexpire(keysOf(short).session, expiredRetentionMs);
    const late = await swap(store, store.lastSaved(short), { ...short, message: 'late' });
    expect(late).toMatchObject({ kind: 'held', session: { phase: 'gone', record: short } });
    await store.swap(undefined, ended, lockMs, 0);
    expect(store.lastSaved(ended)).toBeUndefined();
    expect(await swap(store, ended, ended)).toMatchObject({ kind: 'held', session: { phase: 'gone' } });
  });

  it('is held by a dial that something was left for', async () => {
    const store = open();
    const lost = anyRecord();
    await swap(store, undefined, lost, placeOf(lost));
    const dial = { ...lost, sessionId: `${lost.sessionId}-again` };
    const { point: place } = placeOf(lost);
    const found = await swap(store, undefined, dial, placeOf(dial));
    expect(found).toMatchObject({ kind: 'held', session: undefined, lostPlace: place });
    expect(await stored(dial)).toBeNull();
    // An input takes no notice of it, and leaves its own.
    expect(await swap(store, lost, { ...lost, message: 'on' }, placeOf(lost))).toMatchObject({ kind: 'saved' });
  });

  it('leaves nothing behind, and is forgotten by a process that has many', async () => {
    const store = open();
    const [first] = await Promise.all(
      [anyRecord(), ...Array.from({ length: 2500 }, () => anyRecord())].map(async (record) => {
        await swap(store, undefined, record, placeOf(record));
        return record;
      }),
    );
    expect(first && store.lastSaved(first)).toBeUndefined();
    const left = (await redis.eval(readTtls, 0)) as number[];
    expect(left.length).toBeGreaterThan(5000);
    expect(Math.min(...left)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...left)).toBeLessThanOrEqual(liveMs + expiredRetentionMs);
  });
});

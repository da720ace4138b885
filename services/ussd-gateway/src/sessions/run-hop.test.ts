import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsMessage, networkLimits } from '../engine/pages/message-limits.js';
import { menuHopRules } from './hop-rules.fixture.js';
import { MemorySessionStore } from './memory-session-store.js';
import { type HopDeps, runHop } from './run-hop.js';
import type { SessionStore } from './session-store.js';
import { SessionQueue } from './with-session-lock.js';

const taker = (store: SessionStore, change: Partial<HopDeps> = {}): HopDeps => ({
  store,
  queue: new SessionQueue(),
  rules: menuHopRules(),
  sessionTtlMs: 180_000,
  hopDeadlineMs: 5000,
  clock: () => 0,
  ...change,
});
const hop = (text: string, sessionId = 's') => ({
  aggregator: 'canonical',
  sessionId,
  phoneNumber: '+260971230567',
  serviceCode: '*384#',
  text,
  arrivedAtMs: 0,
});

/** A store that counts saves. */
function counting(store: SessionStore): SessionStore & { saves: number } {
  return {
    saves: 0,
    hold: (key, lockMs) => store.hold(key, lockMs),
    async save(lock, record, liveMs) {
      this.saves += 1;
      return store.save(lock, record, liveMs);
    },
    renew: (...args) => store.renew(...args),
    release: (key, lock) => store.release(key, lock),
    findLive: (...args) => store.findLive(...args),
    listLive: (service) => store.listLive(service),
    countLive: (service) => store.countLive(service),
  };
}

/** A store that blocks until it is opened, and records its calls. */
class StuckStore implements SessionStore {
  readonly calls: string[] = [];
  readonly #store: SessionStore;
  readonly #opened: Promise<void>;
  open: () => void = () => {};

  constructor(store: SessionStore) {
    this.#store = store;
    this.#opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  async hold(...args: Parameters<SessionStore['hold']>) {
    this.calls.push('hold');
    await this.#opened;
    return this.#store.hold(...args);
  }

  async save(...args: Parameters<SessionStore['save']>) {
    this.calls.push('save');
    return this.#store.save(...args);
  }

  async release(...args: Parameters<SessionStore['release']>) {
    this.calls.push('release');
    return this.#store.release(...args);
  }

  renew = (...args: Parameters<SessionStore['renew']>) => this.#store.renew(...args);
  findLive = (...args: Parameters<SessionStore['findLive']>) => this.#store.findLive(...args);
  listLive = (service: string) => this.#store.listLive(service);
  countLive = (service: string) => this.#store.countLive(service);
}

/** Two processes on one store: each has its own queue, so that the lock of the store is tested. */
const replicas = (store: SessionStore) => [taker(store), taker(store)] as const;

describe('hops of one session', () => {
  it('that are equal and concurrent get one reply, and run once', async () => {
    const store = counting(new MemorySessionStore());
    const [one, two] = replicas(store);
    await runHop(hop(''), one);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => runHop(hop('1'), index % 2 === 0 ? one : two)),
    );
    expect(new Set(answers.map(({ reply }) => reply)).size).toBe(1);
    expect(store.saves).toBe(2);
  });

  it('may run in any process in turn', async () => {
    const [one, two] = replicas(new MemorySessionStore());
    await runHop(hop(''), one);
    await runHop(hop('1'), two);
    expect((await runHop(hop('1*3'), one)).state).toBe('infoTopic');
    expect((await runHop(hop('1*3*0'), two)).state).toBe('knowMore');
  });

  it('do not wait for those of other sessions', async () => {
    const store = new MemorySessionStore();
    await store.hold(hop('', 'stuck'), 60_000);
    expect((await runHop(hop('', 'free'), taker(store))).state).toBe('preMenu');
  });

  it('wait for a crashed process only until its lock expires', async () => {
    const store = new MemorySessionStore();
    await store.hold(hop(''), 100);
    expect((await runHop(hop(''), taker(store))).state).toBe('preMenu');
  });

  it('that lost the lock read the session again before they answer', async () => {
    const store = new MemorySessionStore();
    const slow: SessionStore = {
      ...counting(store),
      async save(lock, record, liveMs) {
        // Another process locks the session, as if this one had stalled.
        slow.save = (...args) => store.save(...args);
        await store.release(record, lock);
        await runHop(hop('1'), taker(store));
        return store.save(lock, record, liveMs);
      },
    };
    await runHop(hop(''), taker(store));
    expect(await runHop(hop('1'), taker(slow))).toMatchObject({ kind: 'repeat', state: 'knowMore' });
  });
});

describe('a hop past its deadline', () => {
  it('fails in time, and changes nothing if it continues later', async () => {
    const store = new MemorySessionStore();
    await runHop(hop(''), taker(store));
    const stuck = new StuckStore(store);
    await expect(runHop(hop('1'), taker(stuck, { hopDeadlineMs: 50 }))).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
    stuck.open();
    await expect.poll(() => stuck.calls).toEqual(['hold', 'release']);
    expect((await store.findLive('s', ['canonical']))?.position.state).toBe('preMenu');
  });

  it('does not run if it was still queued', async () => {
    const stuck = new StuckStore(new MemorySessionStore());
    const late = taker(stuck, { hopDeadlineMs: 50 });
    const inLine = Array.from({ length: 5 }, () => runHop(hop(''), late));
    const outcomes = await Promise.allSettled(inLine);
    expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
    stuck.open();
    await expect.poll(() => late.queue.size).toBe(0);
    expect(stuck.calls).toEqual(['hold', 'release']);
  });

  it('fails while it waits for the lock, and does not delay the next one', async () => {
    const store = new MemorySessionStore();
    await store.hold(hop(''), 200);
    const busy = taker(store, { hopDeadlineMs: 50 });
    await expect(runHop(hop(''), busy)).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect((await runHop(hop(''), taker(store))).state).toBe('preMenu');
    await expect.poll(() => busy.queue.size).toBe(0);
  });
});

describe('any text', () => {
  const segment = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('0', '1', '2', '3', '98', '99', '', '*', '**', '9') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  );
  /** Accumulating callers, callers that send the last key, retries, late texts, new dials, random texts. */
  const next: Record<string, (sent: readonly string[], last: string, input: string) => string> = {
    extend: (_sent, last, input) => (last === '' ? input : `${last}*${input}`),
    again: (_sent, last) => last,
    late: (sent) => sent[Math.floor(sent.length / 2)] ?? '',
    latest: (_sent, _last, input) => input,
    dial: () => '',
  };
  const ways = fc.constantFrom('extend', 'extend', 'extend', 'again', 'late', 'latest', 'dial');
  const texts = fc.array(fc.tuple(ways, segment), { maxLength: 25 }).map((hops) => {
    const sent: string[] = [''];
    for (const [way, input] of hops) sent.push((next[way]?.(sent, sent.at(-1) ?? '', input) ?? '').slice(0, 182));
    return sent;
  });

  it.each(['auto', 'accumulated', 'latest'] as const)(
    'each hop gets one CON or END of legal size (%s)',
    async (textMode) => {
      await fc.assert(
        fc.asyncProperty(texts, async (sent) => {
          const base = taker(new MemorySessionStore());
          const under = { ...base, rules: { ...base.rules, textMode } };
          for (const text of sent) {
            const { reply } = await runHop(hop(text), under);
            expect(reply).toMatch(/^(?:CON|END) ./);
            expect(fitsMessage(reply.slice(4), networkLimits)).toBe(true);
          }
        }),
        { numRuns: 200 },
      );
    },
  );

  it('a hop sent twice in a row gets the same reply twice and one effect', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (sent) => {
        const store = counting(new MemorySessionStore());
        const under = taker(store);
        for (const text of sent) {
          const first = await runHop(hop(text), under);
          const { saves } = store;
          // After the end of a session only its last text is a retry; other texts get the text to dial again, both
          // times.
          expect((await runHop(hop(text), under)).reply).toBe(first.reply);
          expect(store.saves).toBe(saves);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('the caller', () => {
  const asking = (store: SessionStore) => {
    const asked: string[] = [];
    const rules = menuHopRules();
    const outside = {
      ...rules.outside,
      findCaller: async ({ serviceCode }: { serviceCode: string }) => {
        asked.push(serviceCode);
        return { language: 'fr' };
      },
    };
    return { asked, parts: taker(store, { rules: { ...rules, outside } }) };
  };

  it('is looked up while the session is read, and only once', async () => {
    const store = new StuckStore(new MemorySessionStore());
    const { asked, parts } = asking(store);
    const answer = runHop(hop(''), parts);
    expect([asked, store.calls]).toEqual([['*384#'], ['hold']]);
    store.open();
    expect((await answer).record?.position.language).toBe('fr');
    expect(asked).toHaveLength(1);
  });

  it('is looked up again if the session exists: it may have started an effect in between', async () => {
    const { asked, parts } = asking(new MemorySessionStore());
    for (const text of ['', '1']) await runHop(hop(text), parts);
    expect(asked).toHaveLength(1);
    await runHop(hop(''), parts);
    expect(asked).toHaveLength(3);
  });

  it('is not looked up for an input of a session', async () => {
    const { asked, parts } = asking(new MemorySessionStore());
    for (const text of ['', '1', '1*2']) await runHop(hop(text), parts);
    expect(asked).toHaveLength(1);
  });
});

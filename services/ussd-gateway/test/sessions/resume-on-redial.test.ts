import { keyringOf } from '@mlango/crypto/keyring';
import { createLogger } from '@mlango/service-kit/logging';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sqlCallers } from '../../src/accounts/find-callers.js';
import { EffectRunner, unshownOutcomeMs } from '../../src/effects/effect-runner.js';
import { EffectStore } from '../../src/effects/effect-store.js';
import { inputSeal } from '../../src/effects/sealed-input.js';
import { menuHopRules } from '../../src/sessions/hop-rules.fixture.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { closeSession } from '../../src/sessions/open-close-session.js';
import { outsideOf } from '../../src/sessions/outside.fixture.js';
import { type HopDeps, runHop } from '../../src/sessions/run-hop.js';
import { SessionQueue } from '../../src/sessions/with-session-lock.js';

import { emptyDatabase } from '../support/embedded-database.js';

const ttlMs = 180_000;
const windowMs = 300_000;
const phoneNumber = '+260971230567';
const offer = 'CON Your last session was interrupted.\n1. Continue\n2. Start over\n*. Exit';
const welcome = /^CON Welcome to Mlango/;

async function openService(change: Partial<HopDeps> = {}) {
  const database = await emptyDatabase();
  const store = new MemorySessionStore({ clock: Date.now });
  const created: string[] = [];
  const effectRunner = new EffectRunner({
    store: new EffectStore(database),
    effects: {
      createAccount: async ({ key }) => {
        created.push(key);
        return { result: 'created', facts: { customerId: 'C00000001' } };
      },
    },
    seal: inputSeal(keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 3) }])),
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  const rules = menuHopRules({
    outside: outsideOf({
      effectRunner,
      findCaller: sqlCallers(database, unshownOutcomeMs),
      checks: {
        logIn: async ({ key }) => {
          created.push(key);
          const facts = { customerId: 'C00000001', name: 'Ana', shownName: 'Ana', email: '-' };
          return { result: 'right', account: 'C00000001', facts };
        },
      },
    }),
  });
  const base = { store, rules, sessionTtlMs: ttlMs, resumeWindowMs: windowMs, hopDeadlineMs: 5000 };
  const replica = (): HopDeps => ({ ...base, queue: new SessionQueue(), clock: Date.now, ...change });
  const taker = replica();
  const send = (sessionId: string, text: string, other: { serviceCode?: string; at?: HopDeps } = {}) =>
    runHop(
      {
        aggregator: 'canonical',
        sessionId,
        phoneNumber,
        serviceCode: other.serviceCode ?? '*384#',
        text,
        arrivedAtMs: Date.now(),
      },
      other.at ?? taker,
    );
  const type = async (sessionId: string, ...texts: string[]) => {
    for (const text of texts) await send(sessionId, text);
  };
  return {
    effectRunner,
    store,
    taker,
    replica,
    send,
    type,
    created,
    pass: (ms: number) => vi.setSystemTime(Date.now() + ms),
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 });
});
afterEach(() => vi.useRealTimers());

describe('a dial after a lost session', () => {
  it('offers to resume, both if it expired and if the network opened a new one', async () => {
    for (const pausedMs of [0, ttlMs, ttlMs + windowMs - 1]) {
      const { send, type, pass } = await openService();
      await type('lost', '', '1', '1*2');
      pass(pausedMs);
      expect((await send('next', '')).reply).toBe(offer);
      expect(await send('next', '1')).toMatchObject({ state: 'infoTopic', reply: expect.stringMatching(/free/) });
      expect((await send('next', '1*0')).state).toBe('knowMore');
    }
  });

  it('shows the main menu after the window', async () => {
    const { send, type, pass } = await openService();
    await type('lost', '', '1', '1*2');
    pass(ttlMs + windowMs);
    expect((await send('next', '')).reply).toMatch(welcome);
  });

  it('restarts if the user chooses it, and makes no second offer', async () => {
    const { send, type } = await openService();
    await type('lost', '', '1', '1*2');
    await send('next', '');
    expect((await send('next', '2')).reply).toMatch(welcome);
    expect((await send('third', '')).reply).toMatch(welcome);
  });

  it('offers again after a wrong key, and after the offer itself was lost', async () => {
    const { send, type } = await openService();
    await type('lost', '', '1', '1*2');
    await send('next', '');
    expect((await send('next', '7')).reply).toBe(offer.replace('CON ', 'CON Invalid choice. Please try again.\n'));
    expect((await send('third', '')).reply).toBe(offer);
    expect((await send('third', '1')).state).toBe('infoTopic');
  });

  it('uses the language of the lost session, and resumes in it, with the typed values', async () => {
    const { send, type, store } = await openService({});
    await type('lost', '', '2', '2*2', '2*2*Ana Zoë');
    expect((await store.findLive('lost', ['canonical']))?.position).toMatchObject({
      state: 'emailEntry',
      entries: { name: 'Ana Zoë' },
    });
    await send('next', '');
    expect((await send('next', '1')).state).toBe('emailEntry');
    expect((await store.findLive('next', ['canonical']))?.position.entries).toEqual({ name: 'Ana Zoë' });
  });

  it('shows the main menu if resuming saves no key', async () => {
    for (const texts of [[''], ['', '1'], ['', '2']]) {
      const { send, type } = await openService();
      await type('lost', ...texts);
      expect((await send('next', '')).reply).toMatch(welcome);
    }
  });

  it('shows the main menu after a session that ended, and for another code', async () => {
    const { send, type } = await openService();
    await type('ended', '', '1', '1*2', '1*2**');
    expect((await send('next', '')).reply).toMatch(welcome);
    await type('lost', '', '1', '1*2');
    expect((await send('other', '', { serviceCode: '*385#' })).reply).toMatch(welcome);
  });

  it('shows the main menu with the window at 0', async () => {
    const { send, type } = await openService({ resumeWindowMs: 0 });
    await type('lost', '', '1', '1*2');
    expect((await send('next', '')).reply).toMatch(welcome);
  });

  it('within the lost session itself is a new dial', async () => {
    const { send, type } = await openService();
    await type('lost', '', '1', '1*2');
    expect((await send('lost', '')).reply).toMatch(welcome);
  });

  it('with a shortcut follows the shortcut', async () => {
    const { send, type } = await openService();
    await type('lost', '', '1', '1*2');
    expect((await send('next', '1')).state).toBe('knowMore');
  });

  it('offers to resume after the network reported the end of a session', async () => {
    const { send, type, taker, pass } = await openService();
    await type('lost', '', '1', '1*2');
    await closeSession({ aggregator: 'canonical', sessionId: 'lost', phoneNumber }, taker);
    pass(windowMs - 1);
    expect((await send('next', '')).reply).toBe(offer);
    pass(ttlMs + windowMs);
    expect((await send('late', '')).reply).toMatch(welcome);
  });
});

describe('a secret or a log-in', () => {
  const signUp = ['', '2', '2*2', '2*2*Ana', '2*2*Ana*00'];
  const logIn = ['', '2', '2*1', '2*1*C00000001'];

  it.each([
    ['pinEntry', signUp],
    ['confirmPin', [...signUp, '2*2*Ana*00*48151']],
    ['loginPin', logIn],
    ['userMenu', [...logIn, '2*1*C00000001*48151']],
    ['myDetails', [...logIn, '2*1*C00000001*48151', '2*1*C00000001*48151*1']],
  ])('is never resumed: after %s a dial shows the main menu', async (state, texts) => {
    const { send, type, store } = await openService();
    await type('lost', ...texts);
    expect((await store.findLive('lost', ['canonical']))?.position.state).toBe(state);
    expect(await send('next', '')).toMatchObject({ state: 'preMenu', record: { isAuthenticated: false } });
  });

  it('removes the resume points stored earlier in its session', async () => {
    const { send, type } = await openService();
    await type('lost', ...signUp.slice(0, -1));
    await send('lost', signUp.at(-1) ?? '');
    expect((await send('next', '')).reply).toMatch(welcome);
  });

  it('has its effect once: a created account is no resume point', async () => {
    const { effectRunner, send, type, created } = await openService();
    await type('lost', ...signUp, '2*2*Ana*00*48151');
    const { shownEffect = '' } = await send('lost', '2*2*Ana*00*48151*48151');
    // The reply is not acknowledged.
    expect((await send('next', '')).reply).toMatch(/^CON Account created.*\nYour Customer ID: C00000001/);
    await effectRunner.acknowledge(shownEffect, 's');
    expect((await send('other', '')).reply).toMatch(welcome);
    expect(created).toHaveLength(1);
  });
});

describe('concurrent dials', () => {
  it('as retries of one redial get identical replies, in sequence, together and from two processes', async () => {
    const { send, type, taker, replica } = await openService();
    const other = replica();
    await type('lost', '', '1', '1*2');
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send('next', '', { at: index % 2 === 0 ? taker : other })),
    );
    replies.push(await send('next', ''));
    expect(new Set(replies.map(({ reply }) => reply))).toEqual(new Set([offer]));
    expect(replies.filter(({ kind }) => kind === 'dial')).toHaveLength(1);
  });

  it('as two redials at once both get the offer, and both may accept it', async () => {
    const { send, type, taker, replica } = await openService();
    await type('lost', '', '1', '1*2');
    const both = await Promise.all([send('a', '', { at: taker }), send('b', '', { at: replica() })]);
    expect(both.map(({ reply }) => reply)).toEqual([offer, offer]);
    expect((await send('a', '1')).state).toBe('infoTopic');
    expect((await send('b', '1')).state).toBe('infoTopic');
  });

  it('do not affect late hops of the old session, which then sets the resume point', async () => {
    const { send, type } = await openService();
    await type('lost', '', '1', '1*2');
    await send('next', '');
    expect((await send('lost', '1*2')).kind).toBe('repeat');
    expect((await send('next', '1')).state).toBe('infoTopic');
    await type('lost', '1*2*1', '1*2*1*2', '1*2*1*2*2');
    await send('third', '');
    expect((await send('third', '1')).state).toBe('nameEntry');
  });
});

it('a lost session is not live: neither listed nor found', async () => {
  const { store, type, send, pass } = await openService();
  await type('lost', '', '1', '1*2');
  pass(ttlMs);
  expect(await store.listLive('default')).toEqual([]);
  await send('next', '');
  expect(await store.listLive('default')).toEqual(['next']);
});

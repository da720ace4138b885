import { describe, expect, it } from 'vitest';
import { MemoryIntentStore } from '../../src/effects/memory-intent-store.fixture.js';
import { menuHopRules } from '../../src/sessions/hop-rules.fixture.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { closeSession } from '../../src/sessions/open-close-session.js';
import { actsOf, outsideOf } from '../../src/sessions/outside.fixture.js';
import { type HopDeps, runHop } from '../../src/sessions/run-hop.js';
import { SessionQueue } from '../../src/sessions/with-session-lock.js';

const ttlMs = 180_000;
const windowMs = 300_000;
const phoneNumber = '+260971230567';
const offer = 'CON Your last session was interrupted.\n1. Continue\n2. Start over\n*. Exit';
const welcome = /^CON Welcome to Mlango/;

function openService(change: Partial<HopDeps> = {}) {
  let now = 1_000_000;
  const store = new MemorySessionStore({ clock: () => now });
  const created: string[] = [];
  const intents = new MemoryIntentStore(() => now);
  const acts = actsOf(
    {
      createAccount: async ({ key }) => {
        created.push(key);
        return { result: 'created', facts: { customerId: 'C00000001' } };
      },
    },
    intents,
  );
  const rules = menuHopRules({
    outside: outsideOf({
      acts,
      intents,
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
  const replica = (): HopDeps => ({ ...base, queue: new SessionQueue(), clock: () => now, ...change });
  const taker = replica();
  const say = (sessionId: string, text: string, other: { serviceCode?: string; at?: HopDeps } = {}) =>
    runHop(
      { aggregator: 'canonical', sessionId, phoneNumber, serviceCode: other.serviceCode ?? '*384#', text },
      other.at ?? taker,
    );
  const type = async (sessionId: string, ...texts: string[]) => {
    for (const text of texts) await say(sessionId, text);
  };
  return { acts, store, taker, replica, say, type, created, pass: (ms: number) => (now += ms) };
}

describe('a dial after a session was lost', () => {
  it('offers to go on, whether it expired or the network gave the user a new one', async () => {
    for (const pausedMs of [0, ttlMs, ttlMs + windowMs - 1]) {
      const { say, type, pass } = openService();
      await type('lost', '', '1', '1*2');
      pass(pausedMs);
      expect((await say('next', '')).reply).toBe(offer);
      expect(await say('next', '1')).toMatchObject({ state: 'infoTopic', reply: expect.stringMatching(/free/) });
      expect((await say('next', '1*0')).state).toBe('knowMore');
    }
  });

  it('gets the main menu once the window is over', async () => {
    const { say, type, pass } = openService();
    await type('lost', '', '1', '1*2');
    pass(ttlMs + windowMs);
    expect((await say('next', '')).reply).toMatch(welcome);
  });

  it('starts over if that is what the user wants, and is not asked again', async () => {
    const { say, type } = openService();
    await type('lost', '', '1', '1*2');
    await say('next', '');
    expect((await say('next', '2')).reply).toMatch(welcome);
    expect((await say('third', '')).reply).toMatch(welcome);
  });

  it('is asked again after a wrong key, and after the offer itself was lost', async () => {
    const { say, type } = openService();
    await type('lost', '', '1', '1*2');
    await say('next', '');
    expect((await say('next', '7')).reply).toBe(offer.replace('CON ', 'CON Invalid choice. Please try again.\n'));
    expect((await say('third', '')).reply).toBe(offer);
    expect((await say('third', '1')).state).toBe('infoTopic');
  });

  it('speaks the language of the lost session, and goes on in it, with what was typed', async () => {
    const { say, type, store } = openService({});
    await type('lost', '', '2', '2*2', '2*2*Ana Zoë');
    expect((await store.findLive('lost', ['canonical']))?.position).toMatchObject({
      state: 'emailEntry',
      entries: { name: 'Ana Zoë' },
    });
    await say('next', '');
    expect((await say('next', '1')).state).toBe('emailEntry');
    expect((await store.findLive('next', ['canonical']))?.position.entries).toEqual({ name: 'Ana Zoë' });
  });

  it('gets the main menu where going on saves nothing', async () => {
    for (const texts of [[''], ['', '1'], ['', '2']]) {
      const { say, type } = openService();
      await type('lost', ...texts);
      expect((await say('next', '')).reply).toMatch(welcome);
    }
  });

  it('gets the main menu after a session that ended, and for another code', async () => {
    const { say, type } = openService();
    await type('ended', '', '1', '1*2', '1*2**');
    expect((await say('next', '')).reply).toMatch(welcome);
    await type('lost', '', '1', '1*2');
    expect((await say('other', '', { serviceCode: '*385#' })).reply).toMatch(welcome);
  });

  it('gets the main menu with the window at 0', async () => {
    const { say, type } = openService({ resumeWindowMs: 0 });
    await type('lost', '', '1', '1*2');
    expect((await say('next', '')).reply).toMatch(welcome);
  });

  it('within the lost session itself is a fresh dial', async () => {
    const { say, type } = openService();
    await type('lost', '', '1', '1*2');
    expect((await say('lost', '')).reply).toMatch(welcome);
  });

  it('that is a shortcut goes where it leads', async () => {
    const { say, type } = openService();
    await type('lost', '', '1', '1*2');
    expect((await say('next', '1')).state).toBe('knowMore');
  });

  it('offers to go on after the network told of the end of a session', async () => {
    const { say, type, taker, pass } = openService();
    await type('lost', '', '1', '1*2');
    await closeSession({ aggregator: 'canonical', sessionId: 'lost', phoneNumber }, taker);
    pass(windowMs - 1);
    expect((await say('next', '')).reply).toBe(offer);
    pass(ttlMs + windowMs);
    expect((await say('late', '')).reply).toMatch(welcome);
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
  ])('is never resumed: after %s a dial gets the main menu', async (state, texts) => {
    const { say, type, store } = openService();
    await type('lost', ...texts);
    expect((await store.findLive('lost', ['canonical']))?.position.state).toBe(state);
    expect(await say('next', '')).toMatchObject({ state: 'preMenu', record: { isAuthenticated: false } });
  });

  it('takes back what its session left on the way', async () => {
    const { say, type } = openService();
    await type('lost', ...signUp.slice(0, -1));
    await say('lost', signUp.at(-1) ?? '');
    expect((await say('next', '')).reply).toMatch(welcome);
  });

  it('has its effect once: an account that was created is no lost place', async () => {
    const { acts, say, type, created } = openService();
    await type('lost', ...signUp, '2*2*Ana*00*48151');
    const { shownEffect = '' } = await say('lost', '2*2*Ana*00*48151*48151');
    // Nobody says that the reply was sent.
    expect((await say('next', '')).reply).toMatch(/^CON Account created.*\nYour Customer ID: C00000001/);
    await acts.acknowledge(shownEffect);
    expect((await say('other', '')).reply).toMatch(welcome);
    expect(created).toHaveLength(1);
  });
});

describe('dials that race', () => {
  it('as retries of one redial get identical replies, in a row, together and from two processes', async () => {
    const { say, type, taker, replica } = openService();
    const other = replica();
    await type('lost', '', '1', '1*2');
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => say('next', '', { at: index % 2 === 0 ? taker : other })),
    );
    replies.push(await say('next', ''));
    expect(new Set(replies.map(({ reply }) => reply))).toEqual(new Set([offer]));
    expect(replies.filter(({ kind }) => kind === 'dial')).toHaveLength(1);
  });

  it('as two redials at once are both offered the place, and both may take it', async () => {
    const { say, type, taker, replica } = openService();
    await type('lost', '', '1', '1*2');
    const both = await Promise.all([say('a', '', { at: taker }), say('b', '', { at: replica() })]);
    expect(both.map(({ reply }) => reply)).toEqual([offer, offer]);
    expect((await say('a', '1')).state).toBe('infoTopic');
    expect((await say('b', '1')).state).toBe('infoTopic');
  });

  it('leave the old session to its own late hops, which are then what is resumed', async () => {
    const { say, type } = openService();
    await type('lost', '', '1', '1*2');
    await say('next', '');
    expect((await say('lost', '1*2')).kind).toBe('repeat');
    expect((await say('next', '1')).state).toBe('infoTopic');
    await type('lost', '1*2*1', '1*2*1*2', '1*2*1*2*2');
    await say('third', '');
    expect((await say('third', '1')).state).toBe('nameEntry');
  });
});

it('a lost session is not live: neither listed nor found', async () => {
  const { store, type, say, pass } = openService();
  await type('lost', '', '1', '1*2');
  pass(ttlMs);
  expect(await store.listLive('default')).toEqual([]);
  await say('next', '');
  expect(await store.listLive('default')).toEqual(['next']);
});

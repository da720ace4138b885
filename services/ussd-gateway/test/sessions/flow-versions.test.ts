import { describe, expect, it } from 'vitest';
import type { Flow, MenuScreen } from '../../src/engine/flow.js';
import { defaultFlow } from '../../src/flows/default-flow.fixture.js';
import { menuHopRules } from '../../src/sessions/hop-rules.fixture.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { type HopDeps, runHop } from '../../src/sessions/run-hop.js';
import { SessionQueue } from '../../src/sessions/with-session-lock.js';

/** The next release: entries of the information menu are reordered, one text changes, and a screen is removed. */
const before = defaultFlow;
const knowMore: MenuScreen = {
  kind: 'menu',
  lines: ['informationCenter'],
  options: [
    { key: '1', label: 'delivery', to: 'infoTopic', choose: { name: 'topic', value: 'delivery' } },
    { key: '2', label: 'aboutThisService', to: 'infoTopic', choose: { name: 'topic', value: 'about' } },
    { key: '3', label: 'pricing', to: 'infoTopic', choose: { name: 'topic', value: 'pricing' } },
  ],
  navigation: [
    { key: '*', label: 'exit', to: 'closed' },
    { key: '0', to: 'preMenu' },
  ],
};
const english = { ...before.texts['en'], pricingText: 'Prices have changed.' };
const after: Flow = {
  ...before,
  version: before.version + 1,
  screens: { ...before.screens, knowMore },
  texts: { ...before.texts, en: english },
};

const store = () => new MemorySessionStore();
const release = (sessions: MemorySessionStore, ...flows: readonly [Flow, ...Flow[]]): HopDeps => ({
  store: sessions,
  queue: new SessionQueue(),
  rules: menuHopRules({ flows }),
  sessionTtlMs: 180_000,
  resumeWindowMs: 300_000,
  hopDeadlineMs: 5000,
  clock: () => 0,
});
const phoneNumber = '+260971230567';
const send = (at: HopDeps, text: string, sessionId = 's') =>
  runHop({ aggregator: 'canonical', sessionId, phoneNumber, serviceCode: '*384#', text, arrivedAtMs: 0 }, at);

describe('a session that began before a release', () => {
  it('ends on its first screens, keys and texts, while new dials get the new ones', async () => {
    const sessions = store();
    const [old, next] = [release(sessions, before), release(sessions, after, before)];
    await send(old, '');
    expect((await send(next, '1')).reply).toMatch(/1\. About this service\n2\. Pricing/);
    expect((await send(next, '1*2')).reply).toMatch(/Dialling this code .* free/);
    expect((await send(next, '1*2*0')).reply).toMatch(/1\. About this service/);
    expect((await send(next, '1*2*0*2')).record?.flow).toMatchObject({ id: 'default', version: 2 });

    await send(next, '', 'new');
    await send(next, '2', 'new');
    expect(await send(next, '', 'fresh')).toMatchObject({ record: { flow: { version: after.version } } });
    expect((await send(next, '1', 'fresh')).reply).toMatch(/1\. Delivery\n2\. About this service/);
    expect((await send(next, '1*3', 'fresh')).reply).toMatch(/Prices have changed/);
  });

  it('may be answered by processes of both releases in turn, as by one', async () => {
    const sessions = store();
    const [old, next] = [release(sessions, before), release(sessions, after, before)];
    await send(old, '');
    await send(next, '1');
    expect((await send(old, '1*2')).reply).toMatch(/free/);
    expect((await send(next, '1*2')).kind).toBe('repeat');
    expect((await send(next, '1*2*0')).state).toBe('knowMore');
    expect((await send(old, '1*2*0**')).reply).toMatch(/^END/);
  });

  it('is resumed by a redial on its first version', async () => {
    const sessions = store();
    const [old, next] = [release(sessions, before), release(sessions, after, before)];
    await send(old, '');
    await send(old, '1');
    await send(old, '1*2');
    await send(next, '', 'redial');
    expect(await send(next, '1', 'redial')).toMatchObject({ state: 'infoTopic', reply: expect.stringMatching(/free/) });
    expect((await send(next, '1*0', 'redial')).record?.flow.version).toBe(before.version);
    expect(await send(next, '1*0', 'redial')).toMatchObject({ kind: 'repeat' });
  });
});

describe('a session on a version that is no longer served', () => {
  it('is replayed from its text through the menus of the new one', async () => {
    const sessions = store();
    await send(release(sessions, before), '');
    await send(release(sessions, before), '1');
    expect(await send(release(sessions, after), '1*3')).toMatchObject({
      kind: 'replay',
      reply: expect.stringMatching(/Prices have changed/),
      record: { flow: { version: after.version } },
    });
  });

  it('stops there at the first screen of free text: no earlier entry is used, no secret is requested twice', async () => {
    const sessions = store();
    for (const text of ['', '2', '2*2', '2*2*Ana', '2*2*Ana*00']) await send(release(sessions, before), text);
    expect(await send(release(sessions, after), '2*2*Ana*00*48151')).toMatchObject({
      kind: 'replay',
      state: 'nameEntry',
    });
  });

  it('gets a request to dial again if inputs are sent separately: they cannot be replayed', async () => {
    const sessions = store();
    const press = { dials: false };
    await send(release(sessions, before), '');
    const alone = {
      aggregator: 'canonical',
      sessionId: 's',
      phoneNumber,
      serviceCode: '*384#',
      text: '1',
      press,
      arrivedAtMs: 0,
    };
    expect((await runHop(alone, release(sessions, after))).reply).toBe('END Session expired. Please dial again.');
  });

  it('is not resumed by a redial', async () => {
    const sessions = store();
    for (const text of ['', '1', '1*2']) await send(release(sessions, before), text);
    expect(await send(release(sessions, after), '', 'redial')).toMatchObject({
      state: 'preMenu',
      record: { flow: { version: after.version } },
    });
  });
});

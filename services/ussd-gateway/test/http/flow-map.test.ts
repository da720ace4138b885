import { ussdFlowMap } from '@mlango/schemas/ussd-flow-map';
import { describe, expect, it } from 'vitest';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { embeddedCounts } from '../support/on-databases.js';
import { openTestApp, sendHop, subscriber } from '../support/test-app.js';

const url = '/api/ussd/analytics/map';

const counts = embeddedCounts();

/** An app with a fixed clock. */
async function openAt(startMs = Date.UTC(2026, 0, 1, 12)) {
  let nowMs = startMs;
  const clock = () => nowMs;
  const app = await openTestApp({ clock, store: new MemorySessionStore({ clock }), counts: counts() });
  const read = async () => {
    const [flow] = ussdFlowMap.parse((await app.inject({ url })).json()).flows;
    if (flow === undefined) throw new Error('no flow');
    return flow;
  };
  const way = async (from: string, to: string) => (await read()).ways.find((one) => one.from === from && one.to === to);
  return { app, read, way, pass: (ms: number) => (nowMs += ms) };
}

describe('GET /api/ussd/analytics/map', () => {
  it('is the flow as written, before the first dial', async () => {
    const { read } = await openAt();
    const { id, version, start, exit, languages, screens, ways } = await read();
    expect({ id, version, start, exit, languages }).toEqual({
      id: 'default',
      version: 2,
      start: 'preMenu',
      exit: 'closed',
      languages: ['en', 'fr', 'sw'],
    });
    expect(screens).toContainEqual({
      screen: 'preMenu',
      kind: 'menu',
      title: 'Welcome to Mlango',
      visits: 0,
      dropOff: null,
      medianDwellMs: null,
    });
    expect(screens.find(({ screen }) => screen === 'loginPin')).toMatchObject({ kind: 'entry' });
    expect(screens.find(({ screen }) => screen === 'userMenu')).toMatchObject({ title: 'Welcome, {shownName}!' });
    const unused = { people: 0, medianMs: null, dropOff: null };
    expect(ways).toContainEqual({ from: 'preMenu', to: 'knowMore', by: ['1'], kind: 'written', ...unused });
    // Three keys of one menu lead to one screen.
    expect(ways).toContainEqual({
      from: 'knowMore',
      to: 'infoTopic',
      by: ['1', '2', '3'],
      kind: 'written',
      ...unused,
    });
    expect(ways.find(({ from, to }) => from === 'confirmPin' && to === 'accountCreated')?.by).toEqual([
      'createAccount: created',
    ]);
    const known = new Set(screens.map(({ screen }) => screen));
    for (const { from, to } of ways) expect([known.has(from), known.has(to)]).toEqual([true, true]);
    const unreached = [...known].filter((screen) => !ways.some(({ to }) => to === screen));
    expect(unreached).toEqual(['resumeOffer', 'working']);
  });

  it('counts the users of each transition, and their viewing times', async () => {
    const { app, read, way, pass } = await openAt();
    for (const sessionId of ['a', 'b', 'c']) await sendHop(app, '', { sessionId });
    pass(8000);
    await sendHop(app, '1', { sessionId: 'a' });
    await sendHop(app, '1', { sessionId: 'b' });
    pass(24_000);
    await sendHop(app, '2', { sessionId: 'c' });
    const quick = await way('preMenu', 'knowMore');
    expect(quick).toMatchObject({ people: 2 });
    expect(quick?.medianMs).toBeGreaterThan(7200);
    expect(quick?.medianMs).toBeLessThan(8800);
    const slow = await way('preMenu', 'accountMenu');
    expect(slow).toMatchObject({ people: 1 });
    expect(slow?.medianMs).toBeGreaterThan(28_800);
    expect((await read()).screens.find(({ screen }) => screen === 'preMenu')).toMatchObject({ visits: 3 });
  });

  it('distinguishes the transitions into one screen by their drop-offs', async () => {
    const { app, way, pass } = await openAt();
    for (const sessionId of ['a', 'b', 'c']) {
      await sendHop(app, '', { sessionId });
      await sendHop(app, '1', { sessionId });
    }
    // One reads on and returns, one types an invalid key; both drop off there, the third continues.
    await sendHop(app, '1*1', { sessionId: 'a' });
    await sendHop(app, '1*1*0', { sessionId: 'a' });
    await sendHop(app, '1*7', { sessionId: 'b' });
    await sendHop(app, '1*2', { sessionId: 'c' });
    pass(9 * 60_000);
    expect(await way('preMenu', 'knowMore')).toMatchObject({ people: 3, dropOff: 0 });
    expect(await way('infoTopic', 'knowMore')).toMatchObject({ people: 1, dropOff: 1 });
    expect(await way('knowMore', 'knowMore')).toMatchObject({ people: 1, dropOff: 1, kind: 'stayed' });
    expect(await way('knowMore', 'infoTopic')).toMatchObject({ people: 2, dropOff: 0.5 });
  });

  it('shows the exit if it was used, and the transition of a resumed session', async () => {
    const { app, way, pass } = await openAt();
    await sendHop(app, '', { sessionId: 'a' });
    await sendHop(app, '1', { sessionId: 'a' });
    await sendHop(app, '1*1', { sessionId: 'a' });
    pass(200_000);
    await sendHop(app, '', { sessionId: 'b' });
    await sendHop(app, '1', { sessionId: 'b' });
    expect(await way('resumeOffer', 'infoTopic')).toMatchObject({ people: 1, kind: 'other', by: [] });
    expect(await way('infoTopic', 'closed')).toBeUndefined();
    await sendHop(app, '1**', { sessionId: 'b' });
    expect(await way('infoTopic', 'closed')).toMatchObject({ people: 1, kind: 'exit', by: ['*'] });
    expect(await way('preMenu', 'closed')).toMatchObject({ kind: 'written', by: ['*', '0'], people: 0 });
  });

  it('contains no phone number, session id or input', async () => {
    const { app } = await openAt();
    for (const text of ['', '40404', '40404*1']) await sendHop(app, text);
    const { body } = await app.inject({ url });
    for (const secret of [subscriber.sessionId, subscriber.phoneNumber.slice(1), '40404']) {
      expect(body).not.toContain(secret);
    }
  });

  it('requires the operator token and a valid number of hours', async () => {
    const app = await openTestApp({ env: { OPERATOR_TOKEN: 'a-token-for-operators' } });
    expect((await app.inject({ url })).statusCode).toBe(401);
    const headers = { authorization: 'Bearer a-token-for-operators' };
    expect((await app.inject({ url: `${url}?hours=168`, headers })).statusCode).toBe(200);
    expect((await app.inject({ url: `${url}?hours=169`, headers })).statusCode).toBe(400);
    const off = await openTestApp({ env: { OPERATOR_ROUTES: 'off' } });
    expect((await off.inject({ url })).statusCode).toBe(404);
  });
});

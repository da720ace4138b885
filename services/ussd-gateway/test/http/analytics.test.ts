import { ussdAnalytics } from '@mlango/schemas/ussd-analytics';
import { describe, expect, it } from 'vitest';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { embeddedCounts } from '../support/on-databases.js';
import { openTestApp, sendHop, subscriber } from '../support/test-app.js';

const url = '/api/ussd/analytics';

const counts = embeddedCounts();

/** An app with a fixed clock. */
async function openAt(startMs = Date.UTC(2026, 0, 1, 12)) {
  let nowMs = startMs;
  const clock = () => nowMs;
  const app = await openTestApp({ clock, store: new MemorySessionStore({ clock }), counts: counts() });
  const read = async () => ussdAnalytics.parse((await app.inject({ url })).json());
  const screen = async (name: string) => (await read()).screens.find((row) => row.screen === name);
  return { app, read, screen, pass: (ms: number) => (nowMs += ms) };
}

describe('GET /api/ussd/analytics', () => {
  it('is empty before the first dial', async () => {
    const { read } = await openAt();
    expect(await read()).toMatchObject({ hops: 0, failedHops: 0, sessions: { started: 0 }, screens: [] });
  });

  it('counts each hop by screen and outcome', async () => {
    const { app, read } = await openAt();
    for (const text of ['', '9', '9*1', '9*1', '9*1*2', '9*1*2**']) await sendHop(app, text);
    const { hops, sessions, screens } = await read();
    expect(hops).toBe(6);
    expect(sessions).toEqual({ started: 1, ended: 1, abandoned: 0, open: 0 });
    const rows = Object.fromEntries(screens.map((row) => [row.screen, row]));
    expect(rows['preMenu']).toMatchObject({ visits: 1, outcomes: { dialled: 1, refused: 1, moved: 1 } });
    expect(rows['preMenu']?.next).toEqual([{ screen: 'knowMore', count: 1 }]);
    expect(rows['knowMore']).toMatchObject({ visits: 1, outcomes: { moved: 1, repeated: 1 }, shareOfSessions: 1 });
    expect(rows['infoTopic']).toMatchObject({ visits: 1, outcomes: { ended: 1 }, dropOff: 0 });
  });

  it('counts a session as abandoned on its last screen once it has expired', async () => {
    const { app, read, screen, pass } = await openAt();
    for (const sessionId of ['a', 'b', 'c', 'd']) await sendHop(app, '', { sessionId });
    await sendHop(app, '1', { sessionId: 'a' });
    await sendHop(app, '1', { sessionId: 'b' });
    await sendHop(app, '1**', { sessionId: 'a' });
    expect(await screen('preMenu')).toMatchObject({ visits: 4, abandoned: 0, open: 2 });
    pass(9 * 60_000);
    expect(await screen('preMenu')).toMatchObject({ visits: 4, abandoned: 2, open: 0, dropOff: 0.5 });
    expect(await screen('knowMore')).toMatchObject({ visits: 2, abandoned: 1, dropOff: 0.5 });
    expect((await read()).sessions).toEqual({ started: 4, ended: 1, abandoned: 3, open: 0 });
  });

  it('counts a long session with many keys as open, not as abandoned', async () => {
    const { app, read, pass } = await openAt();
    await sendHop(app, '');
    let text = '9';
    for (let minute = 0; minute < 30; minute++) {
      await sendHop(app, text);
      pass(60_000);
      text += '*9';
    }
    expect((await read()).sessions).toMatchObject({ abandoned: 0, open: 1 });
  });

  it('reports viewing times separately from service times', async () => {
    const { app, screen, pass } = await openAt();
    await sendHop(app, '');
    pass(8000);
    await sendHop(app, '1');
    const row = await screen('preMenu');
    expect(row?.medianDwellMs).toBeGreaterThan(7200);
    expect(row?.medianDwellMs).toBeLessThan(8800);
    expect(row?.medianAnswerMs).not.toBeNull();
  });

  it('contains no phone number, session id or input', async () => {
    const { app, read } = await openAt();
    for (const text of ['', '40404', '40404*1']) await sendHop(app, text);
    const text = JSON.stringify(await read());
    for (const secret of [subscriber.sessionId, subscriber.phoneNumber.slice(1), '40404']) {
      expect(text).not.toContain(secret);
    }
  });

  it('reports the requested hours, and refuses an invalid number of hours', async () => {
    const { app, pass } = await openAt();
    await sendHop(app, '');
    pass(3 * 3_600_000);
    const hops = async (hours: string) => (await app.inject({ url: `${url}?hours=${hours}` })).json().hops;
    expect(await hops('3')).toBe(0);
    expect(await hops('4')).toBe(1);
    for (const hours of ['0', '169', 'x', '1.5']) {
      expect((await app.inject({ url: `${url}?hours=${hours}` })).statusCode).toBe(400);
    }
  });

  it('requires the operator token', async () => {
    const app = await openTestApp({ env: { OPERATOR_TOKEN: 'a-token-for-operators' } });
    expect((await app.inject({ url })).statusCode).toBe(401);
    const headers = { authorization: 'Bearer a-token-for-operators' };
    expect((await app.inject({ url, headers })).statusCode).toBe(200);
  });

  it('exists only with the operator routes', async () => {
    const app = await openTestApp({ env: { OPERATOR_ROUTES: 'off' } });
    expect((await app.inject({ url })).statusCode).toBe(404);
  });

  it('has its main figures in the metrics', async () => {
    const { app, pass } = await openAt();
    await sendHop(app, '');
    pass(5000);
    await sendHop(app, '1');
    pass(9 * 60_000);
    const metrics = (await app.inject({ url: '/metrics' })).body;
    const labels = (screen: string) =>
      `{ussd_service="default",flow="default",screen="${screen}",scope="fleet",service="test"}`;
    expect(metrics).toMatch(/^ussd_service_answer_seconds_count\{.*ussd_service="default".*\} 2$/m);
    expect(metrics).toContain(`ussd_screen_visits${labels('preMenu')} 1`);
    expect(metrics).toContain(`ussd_screen_drop_off_ratio${labels('preMenu')} 0`);
    expect(metrics).toContain(`ussd_screen_drop_off_ratio${labels('knowMore')} 1`);
    expect(metrics).toContain(`ussd_screen_dwell_median_seconds${labels('preMenu')}`);
  });
});

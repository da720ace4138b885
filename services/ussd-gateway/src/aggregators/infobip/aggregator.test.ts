import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, jsonOf, screens, TestClock } from '../../../test/support/aggregator-calls.js';
import { openTestApp } from '../../../test/support/test-app.js';
import { infobipEndReply, infobipReply } from './aggregator.js';

let app: HttpApp;
let clock: TestClock;
beforeEach(async () => {
  clock = new TestClock();
  app = await openTestApp({ clock: clock.read, env: { DUPLICATE_WINDOW_MS: '1000' } });
});
afterEach(async () => app.close());

const caller = { msisdn: '385998779111', imsi: '219010000000000', shortCode: '*123#', optional: '', ussdGwId: 'gw1' };
const url = (event: string, id = '42') => `/api/ussd/infobip/session/${id}/${event}`;
const send = async (event: 'start' | 'response', text: string, change: object = {}, method: 'POST' | 'PUT' = 'POST') =>
  infobipReply.parse(jsonOf(await call(app, { method, url: url(event), json: { ...caller, text, ...change } })));
const end = async (json: object, id?: string) =>
  infobipEndReply.parse(jsonOf(await call(app, { method: 'PUT', url: url('end', id), json })));

describe('Infobip', () => {
  it('plays a dialogue over the addresses of a session', async () => {
    expect(await send('start', '*123#')).toEqual({
      ussdMenu: screens.welcome,
      shouldClose: false,
      responseExitCode: 200,
      responseMessage: '',
    });
    expect((await send('response', '1', {}, 'PUT')).ussdMenu).toBe(screens.information);
    expect((await send('response', '3')).ussdMenu).toContain('0. Back');
    expect(await send('response', '*')).toMatchObject({ ussdMenu: screens.goodbye, shouldClose: true });
  });

  it('reads a repeated key as a new input once the user can have seen the screen, and as a retry before', async () => {
    await send('start', '');
    await send('response', '1');
    expect((await send('response', '1')).ussdMenu).toBe(screens.information);
    clock.think();
    expect((await send('response', '1')).ussdMenu).toContain('1. Back to Main Menu');
  });

  it('replays a shortcut dialled behind the code', async () => {
    expect((await send('start', '*123*1#')).ussdMenu).toBe(screens.information);
  });

  it.each([
    ['with the number', { msisdn: caller.msisdn, reasonCode: 1, reason: 'Aborted by user' }],
    ['without the number', { reasonCode: 1, reason: 'Aborted by user' }],
  ])('closes the session on its end, %s', async (_name, json) => {
    await send('start', '');
    expect(await end(json)).toEqual({ responseExitCode: 200, responseMessage: '' });
    expect((await app.inject('/api/ussd/sessions')).json()).toEqual({ activeSessions: [], count: 0 });
    expect(await send('response', '1')).toMatchObject({ ussdMenu: screens.expired, shouldClose: true });
    expect(await end(json)).toMatchObject({ responseExitCode: 200 });
  });

  it('refuses an unreadable end notification', async () => {
    expect(await end({ msisdn: 'nobody' })).toEqual({ responseExitCode: 400, responseMessage: 'Not accepted' });
  });

  it('uses the session of the address, not of the body', async () => {
    await send('start', '', { sessionId: 'other' });
    expect((await app.inject('/api/ussd/sessions')).json()).toEqual({ activeSessions: ['42'], count: 1 });
  });

  it.each([
    ['no number', { msisdn: undefined }],
    ['an invalid short code', { shortCode: 'abc' }],
  ])('answers %s in JSON, with a text for the user', async (_name, change) => {
    const reply = await send('start', '', change);
    expect(reply).toMatchObject({ ussdMenu: screens.invalid, shouldClose: true, responseExitCode: 200 });
  });
});

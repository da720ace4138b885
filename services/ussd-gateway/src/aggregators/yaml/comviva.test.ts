import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, screens, TestClock } from '../../../test/support/aggregator-calls.js';
import { openTestApp } from '../../../test/support/test-app.js';

let app: HttpApp;
let clock: TestClock;
beforeEach(async () => {
  clock = new TestClock();
  app = await openTestApp({ clock: clock.read, env: { DUPLICATE_WINDOW_MS: '1000' } });
});
afterEach(async () => app.close());

const caller = { SessionID: '900123', MSISDN: '260971230567' };
const pull = async (change: Record<string, string>) => {
  const query = new URLSearchParams({ ...caller, ...change });
  const { status, type, text, reply } = await call(app, {
    method: 'GET',
    url: `/api/ussd/comviva?${query.toString()}`,
  });
  return { status, type, text, flow: reply.headers['freeflow'], cache: reply.headers['cache-control'] };
};
const plain = { status: 200, type: 'text/plain; charset=utf-8', cache: 'no-store' };

describe('Comviva', () => {
  it('plays a dialogue of GETs, with the flow in a header', async () => {
    expect(await pull({ input: '*384#' })).toEqual({ ...plain, text: screens.welcome, flow: 'FC' });
    expect(await pull({ input: '1' })).toEqual({ ...plain, text: screens.information, flow: 'FC' });
    expect(await pull({ input: '*' })).toEqual({ ...plain, text: screens.goodbye, flow: 'FB' });
  });

  it.each([
    ['an empty input', { input: '' }],
    ['the bare code', { input: '384' }],
  ])('reads %s as a dial of an unknown session', async (_name, change) => {
    expect((await pull(change)).text).toBe(screens.welcome);
    expect((await pull({ input: '1' })).text).toBe(screens.information);
  });

  it('accepts its fields in any case', async () => {
    const reply = await call(app, {
      method: 'GET',
      url: '/api/ussd/comviva?sessionid=1&msisdn=+260971230567&INPUT=384',
    });
    expect(reply).toMatchObject({ status: 200, text: screens.welcome });
  });

  it('reads a repeated key as a new input once the user can have seen the screen, and as a retry before', async () => {
    await pull({ input: '' });
    await pull({ input: '1' });
    expect((await pull({ input: '1' })).text).toBe(screens.information);
    clock.think();
    expect((await pull({ input: '1' })).text).toContain('1. Back to Main Menu');
  });

  it('reads the bare code as a retry of the dial before the screen can have been seen, and as an input after', async () => {
    await pull({ input: '384' });
    expect((await pull({ input: '384' })).text).toBe(screens.welcome);
    clock.think();
    expect((await pull({ input: '384' })).text).not.toBe(screens.welcome);
    expect((await pull({ input: '1' })).text).toBe(screens.information);
  });

  it('begins no session with an input that is neither a dialled code nor a code of SERVICE_CODES', async () => {
    await app.close();
    app = await openTestApp({ clock: clock.read, env: { SERVICE_CODES: '*384#,*384*1#' } });
    const ended = async (input: string, SessionID: string) => pull({ input, SessionID });
    expect(await ended('712', 'a')).toEqual({ ...plain, text: screens.expired, flow: 'FB' });
    expect(await ended('2', 'b')).toEqual({ ...plain, text: screens.expired, flow: 'FB' });
    expect(await ended('*712#', 'd')).toEqual({ ...plain, text: screens.invalid, flow: 'FB' });
    expect((await ended('384', 'e')).text).toBe(screens.welcome);
    expect((await ended('384*1', 'f')).text).toBe(screens.welcome);
    expect((await ended('384*1*1', 'g')).text).toBe(screens.information);
  });

  it('stores the code of the dial in the session, so that a redial resumes a lost one', async () => {
    for (const input of ['384', '2', '2']) {
      await pull({ input });
      clock.think();
    }
    expect(await pull({ error: 'timeout', clean: 'clean-session' })).toEqual({ ...plain, text: '', flow: 'FB' });
    expect((await pull({ input: '384', SessionID: 'next' })).text).toContain('1. Continue');
  });

  it.each([
    ['live', 'clean=clean-session&error=Timeout'],
    ['unknown', 'clean=&error=0'],
    ['without a reason', 'clean=1'],
    ['with an empty input', 'error=userAbort&input='],
  ])('closes a session that ended, %s, with an empty body', async (name, ending) => {
    if (name !== 'unknown') await pull({ input: '384' });
    const url = `/api/ussd/comviva?${ending}&SessionID=900123&msisdn=260971230567`;
    const reply = await call(app, { method: 'GET', url });
    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(reply.reply.headers['freeflow']).toBe('FB');
    const live = await app.inject({ url: '/api/ussd/sessions' });
    expect(live.json()).toEqual({ activeSessions: [], count: 0 });
    expect((await pull({ input: '1' })).text).toBe(name === 'unknown' ? screens.welcome : screens.expired);
  });

  it.each([
    ['no input', {}],
    ['an invalid number', { MSISDN: '097' }],
    ['a session without id', { SessionID: '' }],
    ['an input of 183 characters', { input: '1'.repeat(183) }],
  ])('answers %s with a closing text', async (_name, change) => {
    expect(await pull(change)).toEqual({ ...plain, text: screens.invalid, flow: 'FB' });
  });

  it('runs no hop for a HEAD', async () => {
    const query = new URLSearchParams({ ...caller, input: '' });
    expect((await app.inject({ method: 'HEAD', url: `/api/ussd/comviva?${query.toString()}` })).statusCode).toBe(404);
  });
});

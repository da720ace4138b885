import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, jsonOf, screens, TestClock } from '../../../test/support/aggregator-calls.js';
import { arkeselReply } from '../../../test/support/documented-replies.js';
import { openTestApp } from '../../../test/support/test-app.js';

let app: HttpApp;
let clock: TestClock;
beforeEach(async () => {
  clock = new TestClock();
  app = await openTestApp({ clock: clock.read, env: { DUPLICATE_WINDOW_MS: '1000' } });
});
afterEach(async () => app.close());

const caller = { sessionID: '4f8b7ccd-92d2', userID: 'USSD_TEST', msisdn: '233544919953', network: 'MTN' };
const post = async (json: Record<string, unknown>) =>
  arkeselReply.parse(jsonOf(await call(app, { url: '/api/ussd/arkesel', json: { ...caller, ...json } })));
const dial = () => post({ newSession: true, userData: '*928*01#' });
const press = (userData: string) => post({ newSession: false, userData });

describe('Arkesel', () => {
  it('plays a dialogue with the last input only as data', async () => {
    expect(await dial()).toEqual({
      sessionID: caller.sessionID,
      userID: caller.userID,
      msisdn: caller.msisdn,
      message: screens.welcome,
      continueSession: true,
    });
    expect((await press('1')).message).toBe(screens.information);
    expect((await press('2')).message).toContain('0. Back');
    expect(await press('*')).toMatchObject({ message: screens.goodbye, continueSession: false });
  });

  it('reads a repeated key as a new input once the user can have seen the screen', async () => {
    await dial();
    expect((await press('1')).message).toBe(screens.information);
    clock.think();
    const topic = await press('1');
    expect(topic.message).toContain('1. Back to Main Menu');
    expect(await press('1')).toEqual(topic);
  });

  it('reads a repeated key as a new input at once, unless duplicates are expected', async () => {
    await app.close();
    app = await openTestApp();
    await dial();
    expect((await press('1')).message).toBe(screens.information);
    expect((await press('1')).message).toContain('1. Back to Main Menu');
    expect((await press('1')).message).toBe(screens.welcome);
  });

  it('returns one reply, with one effect, to twenty concurrent deliveries of one input', async () => {
    await dial();
    const replies = await Promise.all(Array.from({ length: 20 }, () => press('1')));
    expect(new Set(replies.map(({ message }) => message))).toEqual(new Set([screens.information]));
  });

  it('repeats the closing reply to the input that ended the session', async () => {
    await dial();
    await press('*');
    clock.think();
    expect(await press('*')).toMatchObject({ message: screens.goodbye, continueSession: false });
    expect(await press('1')).toMatchObject({ message: screens.expired, continueSession: false });
  });

  it('serves a dial without a session id, a user or a code, and finds the session by the number', async () => {
    const unnamed = { sessionID: null, userID: null, network: null };
    expect((await post({ ...unnamed, newSession: true, userData: null })).message).toBe(screens.welcome);
    expect((await post({ ...unnamed, newSession: false, userData: '1' })).message).toBe(screens.information);
    expect((await post({ ...unnamed, newSession: false, userData: null })).message).toContain('Information Center');
  });

  it('runs the input dialled behind a code of SERVICE_CODES', async () => {
    await app.close();
    app = await openTestApp({ env: { SERVICE_CODES: '*928#,*928*01#' } });
    expect((await post({ newSession: true, userData: '*928*01*1#' })).message).toBe(screens.information);
    expect((await post({ newSession: true, userData: '928*1*1' })).message).toContain('1. Back to Main Menu');
    expect((await post({ newSession: true, userData: '*929#' })).message).toBe(screens.invalid);
  });

  it.each([
    ['no number', { newSession: false, userData: '1', msisdn: undefined }],
    ['an invalid session flag', { newSession: 'perhaps', userData: '1' }],
    ['a list for an input', { newSession: false, userData: ['1'] }],
  ])('answers %s in JSON', async (_name, change) => {
    expect(await post(change)).toMatchObject({ message: screens.invalid, continueSession: false });
  });
});

import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, jsonOf, screens, TestClock } from '../../../test/support/aggregator-calls.js';
import { naloReply } from '../../../test/support/documented-replies.js';
import { openTestApp } from '../../../test/support/test-app.js';

let app: HttpApp;
let clock: TestClock;
beforeEach(async () => {
  clock = new TestClock();
  app = await openTestApp({ clock: clock.read, env: { DUPLICATE_WINDOW_MS: '1000' } });
});
afterEach(async () => app.close());

const caller = { USERID: 'NALOTest', MSISDN: '233265542141', NETWORK: 'MTN', SESSIONID: '16590115252429751' };
const post = async (json: Record<string, unknown>) =>
  naloReply.parse(jsonOf(await call(app, { url: '/api/ussd/nalo', json: { ...caller, ...json } })));

describe('Nalo', () => {
  it('plays a dialogue with the last input only as data', async () => {
    expect(await post({ USERDATA: '*920*1704#', MSGTYPE: true })).toEqual({
      USERID: caller.USERID,
      MSISDN: caller.MSISDN,
      USERDATA: '*920*1704#',
      MSG: screens.welcome,
      MSGTYPE: true,
    });
    expect(await post({ USERDATA: '1', MSGTYPE: false })).toMatchObject({ USERDATA: '1', MSG: screens.information });
    expect(await post({ USERDATA: '*', MSGTYPE: false })).toMatchObject({ MSG: screens.goodbye, MSGTYPE: false });
  });

  it('plays a dialogue without a session id: a subscriber has one session at a time', async () => {
    const anonymous = { SESSIONID: undefined };
    await post({ ...anonymous, USERDATA: '', MSGTYPE: true });
    expect((await post({ ...anonymous, USERDATA: '1', MSGTYPE: false })).MSG).toBe(screens.information);
    const other = await post({ ...anonymous, MSISDN: '233200000001', USERDATA: '', MSGTYPE: true });
    expect(other.MSG).toBe(screens.welcome);
    clock.think();
    expect((await post({ ...anonymous, USERDATA: '', MSGTYPE: true })).MSG).toBe(screens.welcome);
    expect((await post({ ...anonymous, USERDATA: '1', MSGTYPE: false })).MSG).toBe(screens.information);
  });

  it('reads a repeated key as a new input once the user can have seen the screen, and as a retry before', async () => {
    await post({ USERDATA: '', MSGTYPE: true });
    await post({ USERDATA: '1', MSGTYPE: false });
    expect((await post({ USERDATA: '1', MSGTYPE: false })).MSG).toBe(screens.information);
    clock.think();
    expect((await post({ USERDATA: '1', MSGTYPE: false })).MSG).toContain('1. Back to Main Menu');
  });

  it.each([true, 'true', 'TRUE', 1, '1'])('reads %j as the first request of a session', async (MSGTYPE) => {
    expect((await post({ USERDATA: '', MSGTYPE })).MSG).toBe(screens.welcome);
  });

  it('reads a null as an absent field', async () => {
    const anonymous = { SESSIONID: null, NETWORK: null };
    expect((await post({ ...anonymous, USERDATA: null, MSGTYPE: true })).MSG).toBe(screens.welcome);
    expect((await post({ ...anonymous, USERDATA: '1', MSGTYPE: false })).MSG).toBe(screens.information);
    expect((await post({ ...anonymous, USERDATA: null, MSGTYPE: false })).MSG).toContain('Information Center');
  });

  it.each([
    ['no type', { USERDATA: '1', MSGTYPE: undefined }],
    ['a null for its type', { USERDATA: '1', MSGTYPE: null }],
    ['no user', { USERID: '', USERDATA: '1', MSGTYPE: false }],
  ])('answers %s in JSON', async (_name, change) => {
    expect(await post(change)).toMatchObject({ MSISDN: caller.MSISDN, MSG: screens.invalid, MSGTYPE: false });
  });
});

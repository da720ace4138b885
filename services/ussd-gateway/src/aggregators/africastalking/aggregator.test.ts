import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, screens } from '../../../test/support/aggregator-calls.js';
import { openTestApp } from '../../../test/support/test-app.js';

let app: HttpApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(async () => app.close());

const caller = {
  sessionId: 'ATUid_ac6d7fe1',
  phoneNumber: '+254711000001',
  networkCode: '63902',
  serviceCode: '*384*123#',
};
const url = '/api/ussd/africastalking';
const hop = (text: string, change: Record<string, string> = {}) =>
  call(app, { url, form: { ...caller, text, ...change } });
const plain = { status: 200, type: 'text/plain; charset=utf-8' };

/** Request posted after a session ended; `input` has all typed text. */
const ended = (change: Record<string, string> = {}) => ({
  date: '2026-01-10 12:00:00',
  ...caller,
  status: 'Incomplete',
  cost: 'KES 0.10',
  durationInMillis: '12000',
  hopsCount: '3',
  input: '2*90210',
  lastAppResponse: 'CON Enter your PIN:',
  errorMessage: 'Ended by user',
  ...change,
});

describe("Africa's Talking", () => {
  it.each(['auto', 'latest'])('accumulates, also if USSD_TEXT_MODE is %s', async (mode) => {
    await app.close();
    app = await openTestApp({ env: { USSD_TEXT_MODE: mode } });
    await hop('');
    await hop('1');
    expect((await hop('1*1')).text).toContain('any phone');
    expect((await hop('1*1*1')).text).toBe(`CON ${screens.welcome}`);
    expect((await hop('1*1')).text).toBe(`CON ${screens.welcome}`);
  });

  it('plays a dialogue of forms with accumulating text', async () => {
    expect(await hop('')).toMatchObject({ ...plain, text: `CON ${screens.welcome}` });
    expect(await hop('1')).toMatchObject({ ...plain, text: `CON ${screens.information}` });
    expect((await hop('1*2')).text).toMatch(/^CON .*0\. Back$/s);
    expect((await hop('1*2*0')).text).toBe(`CON ${screens.information}`);
    expect(await hop('1*2*0**')).toMatchObject({ ...plain, text: `END ${screens.goodbye}` });
  });

  it('returns the same reply to a form delivered twice, and reads a second press of the key as a new input', async () => {
    await hop('');
    const first = await hop('1');
    expect((await hop('1')).text).toBe(first.text);
    expect((await hop('1*1')).text).not.toBe(first.text);
  });

  it('accepts a number with an unencoded +', async () => {
    await hop('');
    const form = `sessionId=${caller.sessionId}&phoneNumber=+254711000001&serviceCode=*384*123%23&text=1`;
    expect((await call(app, { url, form })).text).toBe(`CON ${screens.information}`);
  });

  it.each([
    ['no text', 'sessionId=a&phoneNumber=%2B254711000001&serviceCode=*384%23'],
    ['a field given twice', 'sessionId=a&sessionId=b&phoneNumber=%2B254711000001&serviceCode=*384%23&text='],
    ['an invalid number', 'sessionId=a&phoneNumber=0711&serviceCode=*384%23&text='],
    ['nothing', ''],
    ['a body that is no form', '%%%=%'],
    ['a form over 4 KiB', `text=${'1'.repeat(5000)}`],
  ])('answers %s with END', async (_name, form) => {
    expect(await call(app, { url, form })).toMatchObject({ ...plain, text: `END ${screens.invalid}` });
  });
});

describe("an end notification of Africa's Talking", () => {
  const tell = (form: Record<string, string>) => call(app, { url: `${url}/events`, form });

  it('closes the session: it is no longer listed, and cannot continue', async () => {
    await hop('');
    expect(await tell(ended())).toMatchObject({ ...plain, text: 'OK' });
    expect((await app.inject('/api/ussd/sessions')).json()).toEqual({ activeSessions: [], count: 0 });
    expect((await hop('1')).text).toBe(`END ${screens.expired}`);
    expect((await hop('')).text).toBe(`CON ${screens.welcome}`);
  });

  it('may be repeated, and may concern a session that ended normally', async () => {
    await hop('');
    await hop('*');
    for (let time = 0; time < 2; time++) expect(await tell(ended({ status: 'Success' }))).toMatchObject(plain);
    expect((await hop('*')).text).toBe(`END ${screens.goodbye}`);
  });

  it('of another number does not change the session', async () => {
    await hop('');
    await tell(ended({ phoneNumber: '+254711000002' }));
    expect((await hop('1')).text).toBe(`CON ${screens.information}`);
  });

  it('is refused without a session', async () => {
    const { sessionId: _, ...rest } = ended();
    expect(await tell(rest)).toMatchObject({ text: 'Not accepted' });
  });

  it('leaves no typed text in the log', async () => {
    await app.close();
    const lines: string[] = [];
    app = await openTestApp({ log: (line) => lines.push(line) });
    await tell(ended());
    await tell(ended({ sessionId: '' }));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toContain('90210');
    expect(lines.join('')).not.toContain('254711000001');
  });
});

import type { HttpApp } from '@mlango/service-kit/http-app';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { call, jsonOf, screens } from '../../../test/support/aggregator-calls.js';
import { korbaReply, moolreReply } from '../../../test/support/documented-replies.js';
import { openTestApp } from '../../../test/support/test-app.js';

// Requests as in the public documentation named by each description.

let app: HttpApp;
afterEach(async () => app.close());

const live = async () => (await app.inject('/api/ussd/sessions')).json().activeSessions;

describe.each(['jaza', 'kemrut'])('%s', (id) => {
  const documented = { SESSIONID: '233443', USSDCODE: '*415#', MSISDN: '254726770792' };
  const get = async (change: Record<string, string>) => {
    const query = new URLSearchParams({ ...documented, ...change });
    const { status, type, text, reply } = await call(app, {
      method: 'GET',
      url: `/api/ussd/${id}?${query.toString()}`,
    });
    expect({ status, type }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' });
    expect(reply.headers['cache-control']).toBe('no-store');
    return text;
  };

  it('reads the input behind a shared code of the settings', async () => {
    app = await openTestApp({ env: { SERVICE_CODES: '*415*33#' } });
    expect(await get({ INPUT: '33' })).toBe(`CON ${screens.welcome}`);
    expect(await get({ INPUT: '33*1' })).toBe(`CON ${screens.information}`);
    expect(await get({ INPUT: '33*1' })).toBe(`CON ${screens.information}`);
    expect(await get({ INPUT: '33*1*2' })).toContain('1. Back to Main Menu');
    expect(await get({ INPUT: '33*1*2**' })).toBe(`END ${screens.goodbye}`);
    expect(await get({ SESSIONID: 'other', INPUT: '34' })).toBe(`END ${screens.invalid}`);
  });

  it('reads the code before the input, as documented by Advanta', async () => {
    app = await openTestApp({ env: { SERVICE_CODES: '*415*33#' } });
    expect(await get({ INPUT: '*415*33#' })).toBe(`CON ${screens.welcome}`);
    expect(await get({ INPUT: '*415*33*1#' })).toBe(`CON ${screens.information}`);
  });

  it('plays a dialogue of its own code', async () => {
    app = await openTestApp();
    expect(await get({ INPUT: '' })).toBe(`CON ${screens.welcome}`);
    expect(await get({ INPUT: '1' })).toBe(`CON ${screens.information}`);
    expect(await get({ INPUT: '1**' })).toBe(`END ${screens.goodbye}`);
  });

  it.each(['INPUT', 'USSDCODE', 'MSISDN', 'SESSIONID'])('does not dial without %s', async (missing) => {
    app = await openTestApp();
    const fields = Object.entries({ ...documented, INPUT: '' }).filter(([name]) => name !== missing);
    const url = `/api/ussd/${id}?${new URLSearchParams(fields).toString()}`;
    expect((await call(app, { method: 'GET', url })).text).toBe(`END ${screens.invalid}`);
    expect(await live()).toEqual([]);
  });

  it('replies to any input with one CON or END', async () => {
    app = await openTestApp();
    const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom('*415#', '33*1', '', '**'));
    const fields = fc.record({ SESSIONID: value, USSDCODE: value, MSISDN: value, INPUT: value });
    await fc.assert(
      fc.asyncProperty(fields, async (sent) => {
        expect(await get(sent)).toMatch(/^(?:CON|END) ./s);
      }),
      { numRuns: 100 },
    );
  });
});

describe('Moolre', () => {
  const documented = { sessionid: 'm-1', new: true, msisdn: '233544919953', network: 3, message: '', extension: 109 };
  const post = async (json: Record<string, unknown>) =>
    moolreReply.parse(jsonOf(await call(app, { url: '/api/ussd/moolre', json: { ...documented, data: '', ...json } })));

  it('plays a dialogue of the code of its extension', async () => {
    app = await openTestApp({ env: { SERVICE_CODES: '*203*109#' } });
    expect(await post({})).toEqual({ message: screens.welcome, reply: true });
    expect((await post({ new: false, message: '1' })).message).toBe(screens.information);
    expect(await post({ new: false, message: '*' })).toEqual({ message: screens.goodbye, reply: false });
    expect(await post({ sessionid: 'm-2', extension: 110 })).toEqual({ message: screens.invalid, reply: false });
  });

  it('runs the data dialled behind the code', async () => {
    app = await openTestApp();
    expect((await post({ data: '1' })).message).toBe(screens.information);
    expect((await post({ sessionid: 'm-2', data: null })).message).toBe(screens.welcome);
  });

  it.each([
    ['no mark of a new session', { new: undefined }],
    ['a null for that mark', { new: null }],
    ['an object for that mark', { new: { valueOf: true } }],
    ['an invalid extension', { extension: '1*2' }],
    ['a number without its country', { msisdn: '0544919953' }],
  ])('does not dial with %s', async (_name, change) => {
    app = await openTestApp();
    expect(await post(change)).toEqual({ message: screens.invalid, reply: false });
    expect(await live()).toEqual([]);
  });
});

describe('Korba', () => {
  const documented = { sessionID: '12341235123', msisdn: '+233111111111', network: '06', ussdServiceOp: '1' };
  const post = async (json: Record<string, unknown>) =>
    korbaReply.parse(
      jsonOf(await call(app, { url: '/api/ussd/korba', json: { ...documented, ussdString: '*1234#', ...json } })),
    );
  const press = (ussdString: string) => post({ ussdServiceOp: 18, ussdString });

  it('plays a dialogue marked by its operations', async () => {
    app = await openTestApp();
    expect(await post({})).toEqual({ message: screens.welcome, ussdServiceOp: 2 });
    expect((await press('1')).message).toBe(screens.information);
    expect(await press('*')).toEqual({ message: screens.goodbye, ussdServiceOp: 17 });
  });

  it('runs the input dialled behind a code of the settings', async () => {
    app = await openTestApp({ env: { SERVICE_CODES: '*1234#' } });
    expect((await post({ ussdString: '*1234*1#' })).message).toBe(screens.information);
  });

  it.each([29, '30', 255])('closes the session on operation %s, for any other content', async (ussdServiceOp) => {
    app = await openTestApp();
    await post({});
    expect(await post({ ussdServiceOp, ussdString: { a: 1 }, network: null })).toEqual({
      message: '',
      ussdServiceOp: 17,
    });
    expect(await live()).toEqual([]);
    expect((await press('1')).message).toBe(screens.expired);
  });

  it.each([undefined, null, 2, 28, '', [1], { a: 1 }, -1, 1.5])('refuses operation %j', async (ussdServiceOp) => {
    app = await openTestApp();
    expect(await post({ ussdServiceOp })).toEqual({ message: screens.invalid, ussdServiceOp: 17 });
    expect(await live()).toEqual([]);
  });
});

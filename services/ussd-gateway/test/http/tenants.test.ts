import { createHash } from 'node:crypto';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { describe, expect, it, onTestFinished } from 'vitest';
import { embeddedCounts } from '../support/on-databases.js';
import { servicesFolder } from '../support/services-folder.js';
import { openTestApp, sendHop } from '../support/test-app.js';

const tokens = { clinic: 'clinic-token-0123456789', shop: 'shop-token-0123456789', house: 'house-token-0123456789' };
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
const yaml = `
services:
  default: {}
  clinic:
    codes: ['*384*1#', '*384*10-19#']
    name: Afya
    flow: default
    operatorTokenSha256: ${hashOf(tokens.clinic)}
  shop:
    codes: ['*384*2#', '*384*12#']
    name: Duka
    operatorTokenSha256: ${hashOf(tokens.shop)}
`;

const counts = embeddedCounts();

/** Folders by their list of services: a folder is read once. */
const folders = new Map<string, string>();
function folderWith(services: string): string {
  const folder = folders.get(services) ?? servicesFolder(services, ['default', 'shop']);
  folders.set(services, folder);
  return folder;
}

async function open(change: (yaml: string) => string = (same) => same, env: Record<string, string> = {}) {
  const app = await openTestApp({
    counts: counts(),
    folder: folderWith(change(yaml)),
    env: { OPERATOR_TOKEN: tokens.house, RATE_LIMIT_TRUSTED_CIDRS: '127.0.0.1', SIMULATOR: 'true', ...env },
  });
  onTestFinished(() => app.close());
  return app;
}

const [clinic, shop] = [{ serviceCode: '*384*1#' }, { serviceCode: '*384*2#' }];
const send = async (app: HttpApp, text: string, change: Record<string, unknown>) =>
  (await sendHop(app, text, change)).text.replaceAll('\n', ' / ');
const nalo = async (app: HttpApp, USERDATA: string, MSGTYPE: boolean) => {
  const payload = { USERID: 'N', MSISDN: '233265542141', USERDATA, MSGTYPE, NETWORK: 'MTN' };
  return (await app.inject({ method: 'POST', url: '/api/ussd/nalo', payload })).json().MSG as string;
};
const airtel = async (app: HttpApp, input: string) => {
  const query = new URLSearchParams({ SessionID: 'air-1', MSISDN: '254730000001', input });
  return (await app.inject({ url: `/api/ussd/comviva?${query.toString()}` })).body.replaceAll('\n', ' / ');
};
const codeless = {
  method: 'POST',
  url: '/api/ussd/infobip/session/i-1/start',
  payload: { msisdn: '254711000001', text: '', shortCode: null },
} as const;
const refused = { body: expect.stringContaining('Invalid input') as string };
const request = async (app: HttpApp, url: string, token: string) => {
  const reply = await app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  return { status: reply.statusCode, body: reply.json() };
};

describe('services on one gateway', () => {
  it('are selected by the dialled code: a code before a range, and the rest to the default one', async () => {
    const app = await open();
    const named = async (serviceCode: string) =>
      /Welcome to (\w+)/.exec(await send(app, '', { serviceCode, sessionId: serviceCode }))?.[1];
    expect(await Promise.all(['*384*1#', '*384*11#', '*384*12#', '*384*2#', '*384*3#', '*384#'].map(named))).toEqual([
      'Afya',
      'Afya',
      'Duka',
      'Duka',
      'Mlango',
      'Mlango',
    ]);
    expect(await send(app, '', { ...shop, sessionId: 'flow' })).toContain('Duka');
    expect(await send(app, '1', { ...shop, sessionId: 'flow' })).toContain('Information of shop');
  });

  it('serve no other code without a default tenant', async () => {
    const app = await open((all) => all.replace('  default: {}\n', ''));
    expect(await send(app, '', { serviceCode: '*384#' })).toBe('END Invalid input. Please try again.');
    expect(await send(app, '', clinic)).toContain('Afya');
  });

  it('accept the codes that they list, independent of the SERVICE_CODES of the default one', async () => {
    const app = await open((same) => same, { SERVICE_CODES: '*384#' });
    expect(await send(app, '', { serviceCode: '*384#', sessionId: 'a' })).toContain('Mlango');
    expect(await send(app, '', { ...clinic, sessionId: 'b' })).toContain('Afya');
    expect(await send(app, '', { serviceCode: '*999#', sessionId: 'c' })).toMatch(/^END Invalid input/);
  });

  it('have separate sessions: the same id and number with the code of another is another session', async () => {
    const app = await open();
    await send(app, '', clinic);
    expect(await send(app, '1', clinic)).toContain('Information of default');
    expect(await send(app, '', shop)).toContain('Duka');
    expect(await send(app, '2', shop)).toContain('Account Menu');
    expect(await send(app, '2**', shop)).toMatch(/^END .*Duka/);
    expect(await send(app, '1*3', clinic)).toContain('1. Back to Main Menu');
  });

  it('offer to resume no session of another', async () => {
    const app = await open();
    for (const text of ['', '1', '1*1']) await send(app, text, { ...clinic, sessionId: 'lost' });
    expect(await send(app, '', { ...shop, sessionId: 'next' })).toContain('Welcome to Duka');
    expect(await send(app, '', { ...clinic, sessionId: 'next' })).toContain('1. Continue');
  });

  it('accept pushes from their own operator and that of the gateway only', async () => {
    const app = await open();
    const push = async ({ serviceCode }: { serviceCode: string }, token: string) => {
      const payload = { key: 'k', phoneNumber: '+254711000001', serviceCode, screen: 'start' };
      const headers = { authorization: `Bearer ${token}` };
      return (await app.inject({ method: 'POST', url: '/api/ussd/pushes', payload, headers })).json().message as string;
    };
    const noWebhook = /^No webhook has pushes: true/;
    expect(await push(clinic, tokens.clinic)).toMatch(noWebhook);
    expect(await push(shop, tokens.clinic)).toBe('This token is for another service than the one with this code');
    expect(await push(shop, tokens.house)).toMatch(noWebhook);
    expect(await push(clinic, 'somebody-elses-token')).not.toMatch(noWebhook);
  });

  it('keep a session if its aggregator sends the code on the dial only', async () => {
    const app = await open();
    expect(await nalo(app, '*384*1#', true)).toContain('Welcome to Afya');
    expect(await nalo(app, '1', false)).toContain('Information of default');
    expect(await nalo(app, '*384*2#', true)).toContain('Welcome to Duka');
    expect(await nalo(app, '1', false)).toContain('Information of shop');
    expect(await nalo(app, '*384#', true)).toContain('Welcome to Mlango');
    expect(await nalo(app, '1', false)).toContain('Information of default');
  });

  it.each([
    ['1', 'Welcome to Afya'],
    ['1*1', 'Information of default'],
    ['2*1', 'Information of shop'],
    ['*384*2#', 'Welcome to Duka'],
  ])('are reached through a shared code with the input %s', async (INPUT, screen) => {
    const app = await open();
    const query = new URLSearchParams({ SESSIONID: 's', USSDCODE: '*384#', MSISDN: '254711000001', INPUT });
    expect((await app.inject(`/api/ussd/jaza?${query.toString()}`)).body).toContain(screen);
  });

  it.each([
    ['384*1', 'Welcome to Afya'],
    ['384*11', 'Welcome to Afya'],
    ['384*2', 'Welcome to Duka'],
    ['384*2*1', 'Information of shop'],
    ['712', 'Welcome to Mlango'],
    ['2', 'Session expired. Please dial again.'],
  ])('are distinguished for Airtel with the dial %s', async (input, screen) => {
    const app = await open();
    expect(await airtel(app, input)).toContain(screen);
    if (screen.startsWith('Welcome to Afya')) expect(await airtel(app, '1')).toContain('Information of default');
  });

  it('keep an input of a live session that is the code of another service', async () => {
    const app = await open();
    await airtel(app, '384*1');
    expect(await airtel(app, '384*2')).toContain('Afya');
  });

  it('accept shortcuts behind their codes from gateways that do not send the code', async () => {
    const app = await open();
    expect(await nalo(app, '*384*2*1#', true)).toContain('Information of shop');
    const payload = { sessionID: 'a', newSession: true, msisdn: '233544919953', userData: '384*2*1' };
    const arkesel = await app.inject({ method: 'POST', url: '/api/ussd/arkesel', payload });
    expect(arkesel.json().message).toContain('Information of shop');
  });

  it('refuse a dial without a code', async () => {
    const app = await open();
    expect(await nalo(app, '', true)).toBe('Invalid input. Please try again.');
    expect(await (await open((all) => all, { SERVICE_CODES: '*384#' })).inject(codeless)).toMatchObject(refused);
  });

  it.each(['  default: {}\n', ''])('request a new dial after a lost session, with services "%s"', async (own) => {
    const app = await open((all) => all.replace('  default: {}\n', own));
    expect(await nalo(app, '1', false)).toBe('Session expired. Please dial again.');
    expect(await airtel(app, '1')).toBe('Session expired. Please dial again.');
  });

  it.each([{ phoneNumber: '+254711000001' }, {}])(
    'end a session by its end notification, with the number %j or without',
    async (caller) => {
      const app = await open();
      const hop = { msisdn: '254711000001', text: '', shortCode: '*384*1#' };
      const at = '/api/ussd/infobip/session/i-1';
      await app.inject({ method: 'POST', url: `${at}/start`, payload: hop });
      expect((await request(app, '/api/ussd/sessions', tokens.clinic)).body.activeSessions).toEqual(['i-1']);
      const payload = caller.phoneNumber === undefined ? {} : { msisdn: '254711000001' };
      await app.inject({ method: 'POST', url: `${at}/end`, payload });
      expect((await request(app, '/api/ussd/sessions', tokens.clinic)).body.activeSessions).toEqual([]);
    },
  );
});

describe("an operator's token of one service", () => {
  it('shows the sessions, the screens and the state of that service only', async () => {
    const app = await open();
    for (const text of ['', '1']) await send(app, text, { ...clinic, sessionId: 'c-1' });
    await send(app, '', { ...shop, sessionId: 's-1' });
    const seen = async (token: string) => ({
      sessions: (await request(app, '/api/ussd/sessions', token)).body.activeSessions,
      debug: await Promise.all(
        ['c-1', 's-1'].map(async (id) => (await request(app, `/api/ussd/debug/${id}`, token)).body.debugInfo?.state),
      ),
      others: (await request(app, '/api/ussd/debug/none', token)).body.activeSessions,
      hops: (await request(app, '/api/ussd/analytics', token)).body.hops,
    });
    expect(await seen(tokens.clinic)).toEqual({
      sessions: ['c-1'],
      debug: ['knowMore', undefined],
      others: ['c-1'],
      hops: 2,
    });
    expect(await seen(tokens.shop)).toEqual({
      sessions: ['s-1'],
      debug: [undefined, 'preMenu'],
      others: ['s-1'],
      hops: 1,
    });
    expect(await seen(tokens.house)).toEqual({
      sessions: [],
      debug: [undefined, undefined],
      others: [],
      hops: 0,
    });
    const house = (url: string) => request(app, url, tokens.house);
    expect((await house('/api/ussd/sessions?service=clinic')).body.activeSessions).toEqual(['c-1']);
    expect((await house('/api/ussd/analytics?service=shop')).body.hops).toBe(1);
    expect((await house('/api/ussd/sessions?service=none')).body.message).toBe(
      'There is no such service: ?service= must be one of default, clinic, shop',
    );
  });

  it('requires the name of a service if there is no default one', async () => {
    const app = await open((all) => all.replace('  default: {}\n', ''));
    expect(await request(app, '/api/ussd/sessions', tokens.house)).toMatchObject({
      status: 400,
      body: { message: 'No service is the default one: ?service= must be one of clinic, shop' },
    });
  });

  it('opens neither another service nor routes about all of them, and a wrong token opens no route', async () => {
    const app = await open();
    const statuses = async (token: string) =>
      Promise.all(
        [
          'sessions?service=shop',
          'analytics?service=shop',
          'debug/x?service=shop',
          'sessions?service=none',
          'sessions',
        ].map(async (path) => (await request(app, `/api/ussd/${path}`, token)).status),
      );
    expect(await statuses(tokens.clinic)).toEqual([403, 403, 403, 403, 200]);
    expect(await statuses(tokens.house)).toEqual([200, 200, 404, 400, 200]);
    expect(await statuses('a-token-of-nobody')).toEqual([401, 401, 401, 401, 401]);
    expect(await statuses(hashOf(tokens.clinic))).toEqual([401, 401, 401, 401, 401]);
    const code = { method: 'POST', url: '/api/ussd/customers/C7K2M9PQ4/pin-code' } as const;
    const issued = await app.inject({ ...code, headers: { authorization: `Bearer ${tokens.clinic}` } });
    expect(issued.statusCode).toBe(401);
  });
});

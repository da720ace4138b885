import { sizeOf } from '@mlango/ussd-workbench/message-size';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { countSeptets } from '../../src/engine/pages/gsm7.js';
import { fitsMessage, networkLimits } from '../../src/engine/pages/message-limits.js';
import { openTestApp, sendHop, subscriber } from '../support/test-app.js';

const code = encodeURIComponent('*384#');
const withPage = { env: { SIMULATOR: 'on' } };

describe('the simulator', () => {
  it('is served in development only, unless it is configured', async () => {
    const status = async (env: Record<string, string>) =>
      (await (await openTestApp({ env })).inject({ url: '/simulator' })).statusCode;
    expect(await status({})).toBe(404);
    expect(await status({ NODE_ENV: 'development' })).toBe(200);
    expect(await status({ NODE_ENV: 'development', SIMULATOR: 'off' })).toBe(404);
    expect(await status({ SIMULATOR: 'on' })).toBe(200);
  });

  it('is refused in production', () => {
    expect(() => readConfig({ NODE_ENV: 'production', SIMULATOR: 'on' })).toThrow(/SIMULATOR/);
  });

  it('is one page without inline scripts or styles', async () => {
    const app = await openTestApp(withPage);
    const page = await app.inject({ url: '/simulator' });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
    const links = [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links.length).toBeGreaterThan(1);
    for (const url of links) expect((await app.inject({ url })).statusCode).toBe(200);
  });

  it('offers the mounted aggregators', async () => {
    const app = await openTestApp(withPage);
    const { aggregators } = (await app.inject({ url: '/simulator/settings' })).json();
    expect(aggregators).toContainEqual({ id: 'canonical', name: 'Canonical JSON' });
  });

  it('can expire a session', async () => {
    const app = await openTestApp(withPage);
    await sendHop(app, '');
    const { sessionId, phoneNumber } = subscriber;
    const expire = (payload: object) => app.inject({ method: 'POST', url: '/simulator/expire', payload });
    expect((await expire({ aggregator: 'canonical', sessionId, phoneNumber })).json()).toEqual({ expired: true });
    expect((await sendHop(app, '1')).text).toBe('END Session expired. Please dial again.');
    expect((await expire({ aggregator: 'canonical', sessionId, phoneNumber })).json()).toEqual({ expired: false });
    expect((await expire({ aggregator: 'canonical', sessionId, phoneNumber: '1' })).statusCode).toBe(400);
  });

  it('sets the language of a phone as its subscriber would: for this dial and all later ones', async () => {
    const app = await openTestApp(withPage);
    const choose = (payload: object) => app.inject({ method: 'POST', url: '/simulator/language', payload });
    const { phoneNumber } = subscriber;
    expect((await choose({ phoneNumber, language: 'sw' })).json()).toEqual({ language: 'sw' });
    for (const sessionId of ['one', 'two']) expect((await sendHop(app, '', { sessionId })).text).toMatch(/^CON Karibu/);
    expect((await sendHop(app, '', { phoneNumber: '+260971230568' })).text).toMatch(/^CON Welcome/);
    expect((await choose({ phoneNumber, language: 'xx' })).statusCode).toBe(400);
    expect((await app.inject({ url: '/simulator/settings' })).json().languages).toEqual(['en', 'fr', 'sw']);
  });

  it('counts a message as the engine does', () => {
    for (let unit = 0; unit < 0xd800; unit++) {
      const text = `a${String.fromCharCode(unit)}`;
      const septets = countSeptets(text);
      const expected = septets === undefined ? { unit: 'characters', used: 2 } : { unit: 'septets', used: septets };
      expect(sizeOf(text)).toMatchObject(expected);
    }
  });

  it('shows the position of a session to a client with its phone number', async () => {
    const app = await openTestApp(withPage);
    await sendHop(app, '');
    await sendHop(app, '1');
    const { sessionId, phoneNumber } = subscriber;
    const place = async (change: object = {}) => {
      const payload = { aggregator: 'canonical', sessionId, phoneNumber, serviceCode: '*384#', ...change };
      return (await app.inject({ method: 'POST', url: '/simulator/place', payload })).json();
    };
    expect(await place()).toEqual({ flow: { id: 'default', version: 2 }, screen: 'knowMore' });
    expect(await place({ phoneNumber: '+260971230568' })).toEqual({});
    expect(await place({ aggregator: 'hubtel' })).toEqual({});
    await sendHop(app, '1**');
    expect(await place()).toEqual({});
  });

  it('maps the flow, with the users of each transition', async () => {
    const app = await openTestApp(withPage);
    await sendHop(app, '');
    await sendHop(app, '1');
    const [flow] = (await app.inject({ url: `/simulator/map?code=${code}` })).json().flows;
    expect(flow.ways).toContainEqual(expect.objectContaining({ from: 'preMenu', to: 'knowMore', people: 1 }));
  });

  it('prints a screen in every language, for each choice, and at its longest', async () => {
    const app = await openTestApp(withPage);
    const print = async (screen: string, version = 2) => {
      return app.inject({ url: `/simulator/screens/${screen}?code=${code}&flow=default&version=${version}` });
    };
    const { languages } = (await print('infoTopic')).json();
    expect(languages.map(({ language }: { language: string }) => language)).toEqual(['en', 'fr', 'sw']);
    expect(languages[0].pages).toHaveLength(3);
    const [english] = (await print('userMenu')).json().languages;
    expect(english.pages[0]).toMatch(/^Welcome, \{shownName\}!\n1\. My details/);
    expect(english.longest).not.toContain('{');
    expect(fitsMessage(english.longest, networkLimits)).toBe(true);
    expect((await print('nowhere')).statusCode).toBe(404);
    expect((await print('__proto__')).statusCode).toBe(404);
    expect((await print('preMenu', 7)).statusCode).toBe(404);
  });

  it('records a dialogue as a test, or returns the reason why not', async () => {
    const app = await openTestApp(withPage);
    const typed = ['', '1', '1**'];
    const replies = [];
    for (const text of typed) replies.push((await sendHop(app, text)).text);
    const exchanges = replies.map((reply, index) => ({
      typed: ['*384#', '1', '*'][index],
      dials: index === 0,
      message: reply.slice(4),
      closes: reply.startsWith('END'),
    }));
    const write = async (change: object) => {
      const { phoneNumber, serviceCode } = subscriber;
      const payload = { title: 'Look and leave', phoneNumber, serviceCode, exchanges, ...change };
      return app.inject({ method: 'POST', url: '/simulator/dialogue', payload });
    };
    expect((await write({})).json().text).toMatch(
      /^# Look and leave\n\ndial \*384#\n\| Welcome[\s\S]*\nEND\n\| Thank you/,
    );
    expect((await write({ exchanges: exchanges.slice(1) })).json()).toEqual({
      says: 'the recording does not begin with a dial',
    });
    for (const bad of [{ title: 'a\nb' }, { exchanges: [] }, { phoneNumber: '1' }]) {
      expect((await write(bad)).statusCode).toBe(400);
    }
  });
});

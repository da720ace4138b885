import { describe, expect, it } from 'vitest';
import { openTestApp, sendHop, subscriber } from '../../test/support/test-app.js';
import { readConfig } from '../config.js';
import { countSeptets } from '../engine/gsm7.js';

const simulator = new URL('../../simulator/', import.meta.url);
const withPage = { env: { SIMULATOR: 'on' } };

describe('the simulator', () => {
  it('is there in development only, unless it is asked for', async () => {
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

  it('offers the aggregators whose endpoints exist', async () => {
    const app = await openTestApp(withPage);
    const { aggregators } = (await app.inject({ url: '/simulator/settings' })).json();
    expect(aggregators).toContainEqual({ id: 'canonical', name: 'Canonical JSON' });
  });

  it('lets a session run out', async () => {
    const app = await openTestApp(withPage);
    await sendHop(app, '');
    const { sessionId, phoneNumber } = subscriber;
    const expire = (payload: object) => app.inject({ method: 'POST', url: '/simulator/expire', payload });
    expect((await expire({ aggregator: 'canonical', sessionId, phoneNumber })).json()).toEqual({ expired: true });
    expect((await sendHop(app, '1')).text).toBe('END Session expired. Please dial again.');
    expect((await expire({ aggregator: 'canonical', sessionId, phoneNumber })).json()).toEqual({ expired: false });
    expect((await expire({ aggregator: 'canonical', sessionId, phoneNumber: '1' })).statusCode).toBe(400);
  });

  it('chooses the language of a phone as its subscriber would: for this dial and all later ones', async () => {
    const app = await openTestApp(withPage);
    const choose = (payload: object) => app.inject({ method: 'POST', url: '/simulator/language', payload });
    const { phoneNumber } = subscriber;
    expect((await choose({ phoneNumber, language: 'sw' })).json()).toEqual({ language: 'sw' });
    for (const sessionId of ['one', 'two']) expect((await sendHop(app, '', { sessionId })).text).toMatch(/^CON Karibu/);
    expect((await sendHop(app, '', { phoneNumber: '+260971230568' })).text).toMatch(/^CON Welcome/);
    expect((await choose({ phoneNumber, language: 'xx' })).statusCode).toBe(400);
    expect((await app.inject({ url: '/simulator/settings' })).json().languages).toEqual(['en', 'fr', 'sw']);
  });

  it('counts a message as the engine does', async () => {
    const { sizeOf } = await import(new URL('message-size.js', simulator).href);
    for (let unit = 0; unit < 0xd800; unit++) {
      const text = `a${String.fromCharCode(unit)}`;
      const septets = countSeptets(text);
      const expected = septets === undefined ? { unit: 'characters', used: 2 } : { unit: 'septets', used: septets };
      expect(sizeOf(text)).toMatchObject(expected);
    }
  });
});

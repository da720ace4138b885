import { ussdHealth, ussdHealthDown, ussdRoot } from '@mlango/schemas/ussd';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestApp, sendHop } from '../support/test-app.js';

let app: HttpApp;
afterEach(async () => app.close());

describe('GET /health', () => {
  it('is 200 while the database answers', async () => {
    app = await openTestApp();
    const reply = await app.inject('/health');
    expect(reply.statusCode).toBe(200);
    expect(ussdHealth.parse(reply.json())).toMatchObject({ status: 'ok', environment: 'test', database: 'connected' });
  });

  it('is 503 while it does not, and 200 again when it does', async () => {
    let up = false;
    app = await openTestApp({
      pingDatabase: async () => {
        if (!up) throw new Error('connect ECONNREFUSED');
      },
    });
    const down = await app.inject('/health');
    expect(down.statusCode).toBe(503);
    expect(ussdHealthDown.parse(down.json())).toMatchObject({ status: 'error', database: 'disconnected' });
    expect(down.body).not.toContain('ECONNREFUSED');
    up = true;
    expect((await app.inject('/health')).statusCode).toBe(200);
  });

  it('does not wait for a database that hangs', async () => {
    app = await openTestApp({ pingDatabase: () => new Promise(() => {}) });
    expect((await app.inject('/health')).statusCode).toBe(503);
  });

  it('reports Redis separately from the database', async () => {
    let [answers, takesWrites] = [true, true];
    const probe = (of: () => boolean) => async () => {
      if (!of()) throw new Error('away');
    };
    app = await openTestApp({ redis: { answers: probe(() => answers), takesWrites: probe(() => takesWrites) } });
    const read = async () => (await app.inject('/health')).json();
    expect(await read()).toMatchObject({ status: 'ok', redis: 'connected', database: 'connected' });
    takesWrites = false;
    expect(await read()).toMatchObject({ status: 'ok', redis: 'not writable' });
    answers = false;
    expect(await read()).toMatchObject({ status: 'ok', redis: 'disconnected', database: 'connected' });
  });

  it('has no entry for an unconfigured Redis', async () => {
    app = await openTestApp();
    expect((await app.inject('/health')).json()).not.toHaveProperty('redis');
  });

  it('does not stop hops from being served', async () => {
    app = await openTestApp({ pingDatabase: () => Promise.reject(new Error('down')) });
    await sendHop(app, '');
    expect((await sendHop(app, '1')).text).toMatch(/^CON Information Center/);
    expect((await app.inject('/health/ready')).statusCode).toBe(200);
  });
});

describe('GET /', () => {
  it('reports that the process runs, for any state of the database', async () => {
    app = await openTestApp({ pingDatabase: () => Promise.reject(new Error('down')) });
    const reply = await app.inject('/');
    expect(reply.statusCode).toBe(200);
    expect(ussdRoot.parse(reply.json())).toMatchObject({ status: 'ok', message: 'Mlango USSD gateway is running' });
  });
});

describe('GET /docs/json', () => {
  it('describes every route with every status it answers', async () => {
    app = await openTestApp();
    const { paths } = (await app.inject('/docs/json')).json<{
      paths: Record<string, Record<string, { responses: object }>>;
    }>();
    const statuses = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {});
    expect(statuses('/api/ussd', 'post')).toEqual(['200', '403', '429']);
    expect(statuses('/api/ussd/debug/{sessionId}', 'get')).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '429',
      '500',
      '503',
    ]);
    expect(statuses('/api/ussd/sessions', 'get')).toEqual(['200', '400', '401', '403', '429', '500', '503']);
    for (const path of ['/api/ussd/pushes', '/api/ussd/customers/{customerId}/pin-code'])
      expect(statuses(path, 'post')).toEqual(expect.arrayContaining(['400', '401', '413', '415', '429', '500', '503']));
    expect(statuses('/health', 'get')).toEqual(['200', '503']);
    expect(statuses('/', 'get')).toEqual(['200']);
    expect(JSON.stringify(paths['/api/ussd'])).toContain('"maxLength":182');
  });
});

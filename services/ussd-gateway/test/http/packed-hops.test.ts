import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, describe, expect, it } from 'vitest';
import { aggregatorIds } from '../../src/aggregators/shipped.fixture.js';
import { aggregatorLines } from '../support/aggregator-lines.js';
import { openTestApp, subscriber } from '../support/test-app.js';

let app: HttpApp;
afterEach(async () => app.close());

const typed = { sessionId: 's-1', phoneNumber: '+260971230567', dials: true, input: '', text: '', count: 0 };

/** A request as the Caddyfile forwards it: a GET with the body before the caller's own query. */
function packed(url: string, body: string, headers: Readonly<Record<string, string>> = {}, method = 'POST') {
  const [path, query = ''] = url.split('?');
  const hop = encodeURIComponent(body).replaceAll('%20', '+');
  return {
    method: 'GET' as const,
    url: `${path}?hop=${hop}&${query}`,
    headers: { ...headers, 'x-hop-method': method },
  };
}

const json = { 'content-type': 'application/json' };
const canonical = (text: string) => packed('/api/ussd', JSON.stringify({ ...subscriber, text }), json);

describe('a hop in a query', () => {
  it.each(aggregatorIds.filter((id) => aggregatorLines[id].request(typed).method === 'POST'))(
    'of %s is answered like the original request',
    async (id) => {
      app = await openTestApp();
      const { url, body = '', headers } = aggregatorLines[id].request(typed);
      const sent = await app.inject({ method: 'POST', url, headers, payload: body });
      const passedOn = await app.inject(packed(url, body, headers));
      expect(sent.body).toContain('Welcome');
      expect(passedOn.body).toBe(sent.body);
      expect(passedOn.headers['content-type']).toBe(sent.headers['content-type']);
    },
  );

  it('may contain any character', async () => {
    app = await openTestApp();
    for (const text of ['', '2', '2*2', '2*2*Zoë + %41 & Ngũgĩ?#=', '2*2*王小明']) {
      const payload = JSON.stringify({ ...subscriber, text });
      const twin = { ...JSON.parse(payload), sessionId: 'twin' };
      const sent = await app.inject({ method: 'POST', url: '/api/ussd', payload: twin });
      expect((await app.inject(packed('/api/ussd', payload, json))).body).toBe(sent.body);
    }
  });

  it('keeps its original method and query', async () => {
    const secret = 'a-secret-of-infobip-only';
    app = await openTestApp({ env: { AGGREGATOR_INFOBIP_SECRET: secret } });
    const { url, body = '' } = aggregatorLines.infobip.request(typed);
    expect((await app.inject(packed(`${url}?secret=${secret}`, body, json, 'PUT'))).body).toContain('Welcome');
    expect((await app.inject(packed(`${url}?secret=wrong`, body, json))).statusCode).toBe(403);
  });

  it('is validated like any other: no body, no JSON, or too much of it', async () => {
    app = await openTestApp();
    for (const body of ['', '{', `{"x":"${'x'.repeat(4100)}"}`])
      expect((await app.inject(packed('/api/ussd', body, json))).body).toBe('END Invalid input. Please try again.');
  });

  it('leaves no input in a log', async () => {
    const lines: string[] = [];
    app = await openTestApp({ log: (line) => lines.push(line) });
    await app.inject(canonical('2*1*C0000000*90817'));
    expect(lines.join('')).toContain('"method":"POST"');
    expect(lines.join('')).not.toMatch(/90817|971230567|hop=/);
  });
});

describe('a GET with a hop in its query', () => {
  it('is no hop without the header, or with another method in it', async () => {
    app = await openTestApp();
    const { url } = canonical('');
    expect((await app.inject({ url })).statusCode).toBe(404);
    for (const method of ['DELETE', 'GET', 'post', ''])
      expect((await app.inject({ url, headers: { ...json, 'x-hop-method': method } })).statusCode).toBe(404);
  });
});

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestApp, sendRequest } from '../app.fixture.js';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** A page with every service replaced by one that counts requests. */
async function pageOf(answer: RequestListener) {
  const requested: string[] = [];
  const service: Server = createServer((request, response) => {
    requested.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  opened.push({
    close: () => {
      service.closeAllConnections();
      service.close();
    },
  });
  const app = await openTestApp(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
  opened.push(app);
  return { app, asked: requested };
}

describe('a failing upstream request', () => {
  it.each([
    ['resets the connection', (request) => request.socket.resetAndDestroy()],
    ['closes the connection', (request) => request.socket.destroy()],
    [
      'breaks off in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{', () => response.destroy());
      },
    ],
    ['answers 503 with Retry-After', (_, response) => response.writeHead(503, { 'retry-after': '1' }).end('{}')],
  ] satisfies [string, RequestListener][])('is sent once to a service that %s', async (_, answer) => {
    const { app, asked: requested } = await pageOf(answer);
    for (const url of ['/chain/proto/token/params', '/oracle/models', '/ussd/simulator/map']) {
      await sendRequest(app, url).catch(() => undefined);
    }
    expect(requested).toEqual(['GET /proto/token/params', 'GET /models', 'GET /simulator/map']);
  });

  it('is sent once over a reused connection', async () => {
    let isGood = true;
    const { app, asked: requested } = await pageOf((request, response) => {
      if (isGood) response.end('{}');
      else request.socket.resetAndDestroy();
    });
    expect((await sendRequest(app, '/chain/a')).statusCode).toBe(200);
    isGood = false;
    expect((await sendRequest(app, '/chain/b')).statusCode).toBe(503);
    expect(requested).toEqual(['GET /a', 'GET /b']);
  });

  it('passes on the service’s temporary refusal', async () => {
    const { app } = await pageOf((_, response) => response.writeHead(503, { 'retry-after': '7' }).end('{"busy":1}'));
    const reply = await sendRequest(app, '/chain/proto/token/params');
    expect([reply.statusCode, reply.headers['retry-after'], reply.body]).toEqual([503, '7', '{"busy":1}']);
  });
});

describe('an unreadable path', () => {
  it.each([
    '/chain/%',
    '/chain/x/%E0%A4',
    '/chain/%2e%2e/x',
    '/chain/proto/..%2Fmetrics',
    '/chain//x',
    '/chain/a%5c..%5cb',
    '/chain/x#%',
    '/oracle/%E0%A4',
    '/oracle/sessions/%2e%2e/x',
    '/ussd/%',
    '/%',
    '/%63hain/%2e%2e/x',
  ])('is a mistake of the caller: %s', async (url) => {
    const { app, asked: requested } = await pageOf((_, response) => response.end('{}'));
    const reply = await sendRequest(app, url);
    expect([reply.statusCode, JSON.parse(reply.body)]).toEqual([400, expect.objectContaining({ statusCode: 400 })]);
    expect(requested).toEqual([]);
  });
});

import { rawRequest } from '@mlango/test-services/raw-request';
import { expect, it } from 'vitest';
import { openTestApp, subscriber } from '../support/test-app.js';

it('a request with two Host headers is 400 in JSON, also on routes with USSD texts and 200 for failures', async () => {
  const app = await openTestApp();
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const body = JSON.stringify({ ...subscriber, text: '' });
  const hop = ['POST /api/ussd HTTP/1.1', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  for (const lines of [hop, ['GET / HTTP/1.1']]) {
    const reply = await rawRequest(base, [...lines, 'Host: a', 'Host: b'], lines === hop ? body : '');
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'A request has one Host header',
    });
  }
  expect(await rawRequest(base, [...hop, 'Host: a', 'Connection: close'], body)).toMatch(/CON Welcome/);
  await app.close();
});

import { rawRequest } from '@mlango/test-services/raw-request';
import { expect, it } from 'vitest';
import { openTestApp } from './app.fixture.js';

it.each(['/', '/health', '/oracle/', '/chain/'])('a request for %s with two Host headers is 400', async (path) => {
  const app = await openTestApp('http://127.0.0.1:1');
  const { port } = app.server.address() as { port: number };
  const reply = await rawRequest(`http://127.0.0.1:${port}`, [`GET ${path} HTTP/1.1`, 'Host: a', 'Host: b']);
  expect(reply).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toMatchObject({ statusCode: 400 });
  await app.close();
});

import type { AddressInfo } from 'node:net';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { echoService, openTestApp } from '../app.fixture.js';

let service: Awaited<ReturnType<typeof echoService>>;
let app: HttpApp;
let base: string;

beforeEach(async () => {
  service = await echoService();
  app = await openTestApp(service.url);
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await app?.close();
  await service?.close();
});

const line = { cookie: 'line=0b7b3a2e-8f3e-4f6e-9a55-6d1f7f0e8a11' };
const other = { cookie: 'line=11111111-8f3e-4f6e-9a55-6d1f7f0e8a11' };

/** Opens an endless stream; resolves once its first event has arrived. */
async function openStream(headers: Record<string, string>) {
  const response = await fetch(`${base}/oracle/runs/endless`, { headers });
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error('no stream');
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('id: 1');
  return reader;
}

const cut = (forMs: unknown, headers: Record<string, string>) =>
  fetch(`${base}/line/cut`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ forMs }),
  });

describe('cutting the network of a browser', () => {
  it('cuts its streams and new oracle requests, not those of another browser', async () => {
    const [mine, theirs] = [await openStream(line), await openStream(other)];
    expect(await (await cut(30_000, line)).json()).toEqual({ forMs: 30_000 });
    await expect(mine.read()).rejects.toThrow();
    await expect(fetch(`${base}/oracle/models`, { headers: line })).rejects.toThrow();
    expect((await fetch(`${base}/oracle/models`, { headers: other })).status).toBe(200);
    expect((await fetch(`${base}/settings.json`, { headers: line })).status).toBe(200);
    await theirs.cancel();
  });

  it('ends by itself', async () => {
    await cut(100, line);
    await expect
      .poll(() =>
        fetch(`${base}/oracle/models`, { headers: line }).then(
          ({ status }) => status,
          () => 'torn',
        ),
      )
      .toBe(200);
  });

  it.each([undefined, 0, 31_000, '5000', 1.5])('refuses to last %j ms', async (forMs) => {
    expect((await cut(forMs, line)).status).toBe(400);
  });

  it('leaves nothing open that would delay a shutdown', async () => {
    const stream = await openStream(line);
    const closing = app.close();
    await expect(stream.read()).rejects.toThrow();
    await closing;
  });
});

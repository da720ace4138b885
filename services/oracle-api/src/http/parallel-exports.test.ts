import { afterEach, expect, it, vi } from 'vitest';
import { headersOf, testApp } from '../../test/app.fixture.js';

afterEach(() => vi.useRealTimers());

/** An app with exports that send one part and end on request. */
async function withArchives() {
  const begun: { readonly end: () => void }[] = [];
  async function* archive() {
    yield Buffer.from('begun');
    await new Promise<void>((resolve) => begun.push({ end: resolve }));
  }
  const { app, deps } = await testApp({ account: { export: archive } });
  const get = async (letter: string, remoteAddress: string) =>
    app.inject({ url: '/account/export', headers: await headersOf(letter), remoteAddress });
  return { app, pool: deps.pools.exports, begun, get };
}

it('runs one export per user and two per address, and serves other addresses', async () => {
  const { app, pool, begun, get } = await withArchives();
  const running = [get('a', '10.0.0.1'), get('b', '10.0.0.1'), get('c', '10.0.0.2')];
  await vi.waitFor(() => expect(begun).toHaveLength(3));
  expect((await get('a', '10.0.0.3')).statusCode).toBe(409);
  const refused = await get('d', '10.0.0.1');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '30']);
  for (const { end } of begun) end();
  expect((await Promise.all(running)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(pool.taken).toBe(0);
  await app.close();
});

it('cuts an export off after 10 minutes and frees its slot', async () => {
  const { app, pool, begun, get } = await withArchives();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const endless = get('a', '10.0.0.1').catch((error: unknown) => error);
  while (begun.length === 0) await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(599_999);
  expect(pool.taken).toBe(1);
  vi.advanceTimersByTime(1);
  // The database statement of the export has its own timeout.
  begun[0]?.end();
  expect(await endless).toBeInstanceOf(Error);
  expect(pool.taken).toBe(0);
  vi.useRealTimers();
  await app.close();
});

import { expect, it, vi } from 'vitest';
import { headersOf, testApp } from '../../test/app.fixture.js';

it('runs one search per user and two in total, queues some, and refuses more', async () => {
  const running: { readonly user: string; readonly end: () => void }[] = [];
  const search = (user: string) => new Promise<never[]>((resolve) => running.push({ user, end: () => resolve([]) }));
  const { app, deps } = await testApp();
  vi.spyOn(deps.search, 'search').mockImplementation(search);
  const [asha, bo, cy] = await Promise.all(['a', 'b', 'c'].map((letter) => headersOf(letter)));
  const get = (headers: Record<string, string> | undefined, remoteAddress: string) =>
    app.inject({ url: '/sessions/search?q=goat', headers: headers ?? {}, remoteAddress });

  const ofAsha = Array.from({ length: 14 }, () => get(asha, '10.0.0.1'));
  await vi.waitFor(async () => expect(deps.pools.searches.refused.get('user')).toBe(9));
  expect([running.length, deps.pools.searches.waiting]).toEqual([1, 4]);
  const ofBo = get(bo, '10.0.0.2');
  await vi.waitFor(() => expect(running).toHaveLength(2));
  const ofCy = get(cy, '10.0.0.3');
  await vi.waitFor(() => expect(deps.pools.searches.waiting).toBe(5));

  // The slot of a finished search goes to the first eligible waiter.
  running[1]?.end();
  expect((await ofBo).statusCode).toBe(200);
  await vi.waitFor(() => expect(running).toHaveLength(3));
  expect(running[2]?.user).not.toBe(running[0]?.user);
  running[2]?.end();
  expect((await ofCy).statusCode).toBe(200);
  for (let ended = 0; ended < 5; ended += 1) {
    const next = ended === 0 ? running[0] : running[ended + 2];
    next?.end();
    if (ended < 4) await vi.waitFor(() => expect(running).toHaveLength(ended + 4));
  }
  const replies = await Promise.all(ofAsha);
  const count = (status: number) => replies.filter(({ statusCode }) => statusCode === status).length;
  expect([count(200), count(429)]).toEqual([5, 9]);
  expect(replies.find(({ statusCode }) => statusCode === 429)?.headers['retry-after']).toBe('1');
  expect(deps.pools.searches.taken).toBe(0);
  await app.close();
});

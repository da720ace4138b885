import { expect, it, vi } from 'vitest';
import { headersOf, testApp } from '../../test/app.fixture.js';

it.each(['/sessions/s/messages', '/messages/s'])(
  'runs one conversation read per user by %s, queues 8, and serves other users',
  async (url) => {
    const { app, deps } = await testApp();
    const running: (() => void)[] = [];
    const ended = () => new Promise<void>((resolve) => running.push(resolve));
    vi.spyOn(deps.conversations, 'pageOfTurns').mockImplementation(async () => {
      await ended();
      return { messages: [] };
    });
    vi.spyOn(deps.conversations, 'newestMessages').mockImplementation(async () => {
      await ended();
      return [];
    });
    const get = async (letter: string, remoteAddress: string) =>
      app.inject({ url, headers: await headersOf(letter), remoteAddress });
    const ofAsha = Array.from({ length: 12 }, () => get('a', '10.0.0.1'));
    await vi.waitFor(() => expect(deps.pools.history.refused.get('user')).toBe(3));
    expect([running.length, deps.pools.history.waiting]).toEqual([1, 8]);

    const others = ['b', 'c', 'd', 'e'].map((letter) => get(letter, '10.0.0.1'));
    await vi.waitFor(() => expect(deps.pools.history.waiting).toBe(9));
    expect(running).toHaveLength(4);
    const elsewhere = get('f', '10.0.0.2');
    await vi.waitFor(() => expect(running).toHaveLength(5));

    const replies = Promise.all([...ofAsha, ...others, elsewhere]);
    const ending = setInterval(() => {
      for (const end of running.splice(0)) end();
    }, 1);
    const statuses = (await replies).map(({ statusCode }) => statusCode);
    clearInterval(ending);
    expect([statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 429).length]).toEqual([
      14, 3,
    ]);
    expect(deps.pools.history.taken).toBe(0);
    await app.close();
  },
);

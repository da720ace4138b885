import { type AddressInfo, connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { headersOf, newSession, testApp } from '../../test/app.fixture.js';
import type { LanguageModel } from '../models/language-model.js';

it('bounds concurrent long requests by user and by address', async () => {
  const running: (() => void)[] = [];
  const model: LanguageModel = {
    id: 'slow',
    label: 'Slow',
    async *stream() {
      await new Promise<void>((resolve) => running.push(resolve));
      yield { type: 'text', delta: 'Habari' };
    },
  };
  const limits = { longRequestsPerUser: 2, longRequests: 10 };
  const { app, deps } = await testApp({ model, poolLimits: limits, socketsPerAddress: 3 });
  const send = async (letter: string, remoteAddress: string, stream = false) => {
    const headers = await headersOf(letter);
    const url = `/messages/${await newSession(app, headers)}`;
    return app.inject({ method: 'POST', url, headers, payload: { message: 'Hi', stream }, remoteAddress });
  };
  const first = [send('a', '10.0.0.1'), send('a', '10.0.0.1', true), send('b', '10.0.0.1')];
  await vi.waitFor(() => expect(running).toHaveLength(3));
  const ofUser = await send('a', '10.0.0.2');
  const ofAddress = await send('c', '10.0.0.1');
  expect([ofUser.statusCode, ofAddress.statusCode]).toEqual([429, 429]);
  expect(deps.pools.longRequests.refused).toEqual(
    new Map([
      ['user', 1],
      ['address', 1],
    ]),
  );

  for (const end of running.splice(0)) end();
  expect((await Promise.all(first)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  await vi.waitFor(() => expect(deps.pools.longRequests.taken).toBe(0));
  const again = send('c', '10.0.0.1');
  await vi.waitFor(() => expect(running).toHaveLength(1));
  running[0]?.();
  expect((await again).statusCode).toBe(200);
  await app.close();
});

it('gives back what a client that left before its admission was given', async () => {
  const { app, deps } = await testApp();
  const headers = await headersOf('a');
  await newSession(app, headers);
  const pool = deps.pools.longRequests;
  const acquire = pool.acquire.bind(pool);
  let admit = () => {};
  const admitted = new Promise<void>((resolve) => {
    admit = resolve;
  });
  const asked = vi.spyOn(pool, 'acquire').mockImplementation(async (...args) => {
    await admitted;
    return acquire(...args);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  client.write(`GET /runs/4a5e1f0e-0000-4000-8000-000000000000 HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
  client.destroy();
  const connections = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)));
  await vi.waitFor(async () => expect(await connections()).toBe(0));
  admit();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(pool.taken).toBe(0);
  await app.close();
});

import { createLogger } from '@mlango/service-kit/logging';
import { openRedis } from '@mlango/service-kit/redis';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { headersOf, newSession, testApp } from '../../test/app.fixture.js';
import { gate, scriptedModel } from '../models/scripted-model.fixture.js';
import { parseSse } from '../runs/log/parse-sse.fixture.js';
import { RedisRunLogStore } from '../runs/log/redis.js';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe.skipIf(!canStartRedis)('runs while Redis is unavailable', { timeout: 60_000 }, () => {
  const setUp = async () => {
    const server = await startRedis({ persist: true });
    cleanUps.push(() => server.remove());
    const logger = createLogger({ service: 'test', level: 'silent' });
    const redis = await openRedis({ url: server.url, logger, connectionName: 'test', commandTimeoutMs: 300 });
    cleanUps.push(() => redis.close());
    const { opened, open } = gate();
    const { model } = scriptedModel(({ messages }) =>
      messages.at(-1)?.content === 'wait' ? ['a', opened, 'b', 'c'] : ['whole'],
    );
    const runs = new RedisRunLogStore(redis.client, redis.subscriber('runs'), { retentionMs: 60_000 });
    const { app } = await testApp({ model, runs });
    cleanUps.push(() => app.close());
    const headers = await headersOf('a');
    const sessionId = await newSession(app, headers);
    const send = (payload: object) => app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload });
    const messages = async (): Promise<{ content: string }[]> =>
      (await app.inject({ url: `/messages/${sessionId}`, headers })).json().messages;
    return { server, send, messages, open };
  };

  it('a stream is refused as JSON and stores nothing, and a send without a stream is answered', async () => {
    const { server, send, messages } = await setUp();
    await server.kill();
    const refused = await send({ message: 'hi', stream: true });
    expect([refused.statusCode, refused.json().statusCode]).toEqual([503, 503]);
    expect(refused.headers['retry-after']).toBeDefined();
    expect(await messages()).toEqual([]);
    const answered = await send({ message: 'hi' });
    expect([answered.statusCode, answered.json().message.content]).toEqual([200, 'whole']);
    await server.restart();
    await vi.waitFor(async () => expect((await send({ message: 'hi', stream: true })).statusCode).toBe(200), {
      timeout: 10_000,
      interval: 200,
    });
  });

  it('a running stream continues at its position, and the answer is not delayed', async () => {
    const { server, send, messages, open } = await setUp();
    const stream = send({ message: 'wait', stream: true });
    await vi.waitFor(async () => expect(await messages()).toHaveLength(1));
    await server.kill();
    open();
    await vi.waitFor(async () => expect((await messages())[1]?.content).toBe('abc'), { timeout: 5_000 });
    await server.restart();
    const events = parseSse((await stream).body);
    expect(events.map(({ event }) => event)).toEqual(['run', 'message', 'message', 'message', 'done']);
    expect(events.map(({ data }) => (JSON.parse(data) as { content?: string }).content ?? '').join('')).toBe('abc');
  });
});

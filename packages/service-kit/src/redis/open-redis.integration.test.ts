import { redisUrl } from '@mlango/test-services/real-redis';
import { canStartRedis, type RedisServer, startRedis } from '@mlango/test-services/servers';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRedis, type RedisConnection } from './open-redis.js';

const SOON = { timeout: 15_000, interval: 25 };

const opened: RedisConnection[] = [];
/** A command may be slow on a busy machine, unless the test is about timeouts. */
async function open(url: string, commandTimeoutMs = 10_000) {
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const connection = await openRedis({ url, logger, connectionName: 'test', commandTimeoutMs });
  opened.push(connection);
  return { connection, lines };
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
});

describe.skipIf(redisUrl === undefined)('a connection to Redis', () => {
  it('is ready after open and not after close', async () => {
    const { connection } = await open(redisUrl ?? '');
    await connection.ping();
    await connection.close();
    await connection.close();
    await expect(connection.ping()).rejects.toThrow(/closed/);
  });
});

describe.skipIf(!canStartRedis)('a connection to a Redis that fails', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  beforeEach(() => server.restart());
  afterAll(() => server.remove());

  it('opens with the server down, refuses commands at once, and recovers by itself', async () => {
    await server.kill();
    const { connection, lines } = await open(server.url);
    await expect(connection.ping()).rejects.toThrow(/isn't writeable/);
    await server.restart();
    await vi.waitFor(() => connection.ping(), SOON);
    expect(lines.filter((line) => line.includes('Redis is unavailable'))).toHaveLength(1);
    await vi.waitFor(
      () => expect(lines.filter((line) => line.includes('Redis is available again'))).toHaveLength(1),
      SOON,
    );
  });

  it('logs the server on connect, on loss and on reconnect, with its new role', async () => {
    const { connection, lines } = await open(`${server.url}/2`, 2_000);
    const { host, password } = new URL(server.url);
    const redis = `${host}/2`;
    const written = () => lines.map((line) => JSON.parse(line));
    await vi.waitFor(() => expect(written()).toHaveLength(1), SOON);
    expect(written()[0]).toMatchObject({ level: 30, msg: 'Redis is connected', redis, tls: false, role: 'primary' });
    await server.kill();
    await vi.waitFor(() => expect(written()).toHaveLength(2), SOON);
    expect(written()[1]).toMatchObject({ level: 40, redis, tls: false, reason: expect.any(String) });
    await server.restart();
    await vi.waitFor(() => expect(written()).toHaveLength(3), SOON);
    expect(written()[2]).toMatchObject({ level: 30, msg: 'Redis is available again', redis, role: 'primary' });

    await connection.client.replicaof('127.0.0.1', 1);
    await connection.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'no').catch(() => {});
    await vi.waitFor(() => connection.ping(), SOON);
    const { lines: linesOfAnother } = await open(server.url);
    await vi.waitFor(() => expect(linesOfAnother).toHaveLength(1), SOON);
    expect(JSON.parse(linesOfAnother[0] ?? '')).toMatchObject({ role: 'replica' });
    await connection.client.replicaof('NO', 'ONE');
    expect(password).not.toBe('');
    expect([...lines, ...linesOfAnother].join('')).not.toContain(password);
  });

  it('logs nothing of its further connections until they fail', async () => {
    const { connection, lines } = await open(server.url);
    const subscriber = connection.subscriber('events');
    await subscriber.listen('a', () => {}).within(15_000);
    await vi.waitFor(() => expect(lines).toHaveLength(1), SOON);
    const saying = (what: string) => lines.filter((line) => line.includes(what));
    await server.kill();
    // Both lines: a connection that succeeds on its first retry logs no outage.
    await vi.waitFor(() => expect(saying('Redis is unavailable')).toHaveLength(2), SOON);
    expect(saying('"purpose":"events"')).toHaveLength(1);
    await server.restart();
    await vi.waitFor(() => expect(saying('Redis is available again')).toHaveLength(2), SOON);
  });

  it('connects again after its client ended without being closed', async () => {
    const { connection } = await open(server.url);
    connection.client.disconnect();
    await vi.waitFor(() => expect(connection.client.status).toBe('end'), SOON);
    await vi.waitFor(() => connection.ping(), SOON);
  });

  it('fails a command in flight when the server is killed, and works again afterwards', async () => {
    const { connection } = await open(server.url);
    server.pause();
    const inFlight = expect(connection.client.incr('counter')).rejects.toThrow(/max retries|timed out|closed/);
    await server.kill();
    await inFlight;
    await server.restart();
    await vi.waitFor(() => connection.ping(), SOON);
    expect(await connection.client.get('counter')).toBeNull();
  });

  it("drops a silent server's connection, and recovers when the server answers again", async () => {
    const { connection } = await open(server.url, 300);
    server.pause();
    await expect(connection.ping()).rejects.toThrow(/timed out/);
    await vi.waitFor(() => expect(connection.client.status).not.toBe('ready'), SOON);
    server.resume();
    await vi.waitFor(() => connection.ping(), SOON);
  });

  it('closes while the server is silent, and while it is down', async () => {
    const silent = await open(server.url);
    server.pause();
    await silent.connection.close();
    server.resume();
    const down = await open(server.url);
    await server.kill();
    await down.connection.close();
    await server.restart();
    await expect(down.connection.ping()).rejects.toThrow(/closed|isn't writeable/);
  });

  it('renews subscriptions after an outage, and takes new ones during it', async () => {
    const { connection } = await open(server.url);
    const subscriber = connection.subscriber('events');
    const received: string[] = [];
    const listen = (channel: string) => subscriber.listen(channel, () => void received.push(channel));
    await listen('before').within(15_000);
    await server.kill();
    const during = listen('during');
    await server.restart();
    await during.within(15_000);
    await vi.waitFor(async () => {
      await connection.client.publish('before', 'x');
      await connection.client.publish('during', 'x');
      expect(new Set(received)).toEqual(new Set(['before', 'during']));
    }, SOON);
  });

  it('never reveals a password in logs or errors', async () => {
    const wrong = new URL(server.url);
    wrong.password = 'hunter2-secret';
    const { connection, lines } = await open(wrong.href);
    const error: unknown = await connection.ping().catch((thrown: unknown) => thrown);
    expect(lines.join('')).toContain('WRONGPASS');
    expect(lines.join('') + String(error) + JSON.stringify(error)).not.toContain('hunter2-secret');
  });
});

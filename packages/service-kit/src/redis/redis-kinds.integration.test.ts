import { redisUrl } from '@mlango/test-services/real-redis';
import { redisClusterUrl, redisSentinelsUrl } from '@mlango/test-services/redis-kinds';
import { selfSigned } from '@mlango/test-services/self-signed';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EnvError } from '../env/read-env.js';
import { unavailableStore } from '../errors/to-service-error.js';
import { key } from './key.js';
import { openRedis } from './open-redis.js';
import { publishCounted } from './redis-client.js';
import { redisWrites } from './redis-writes.js';

const SOON = { timeout: 10_000, interval: 25 };

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function open(url: string, ca?: string) {
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const connection = await openRedis({ url, ca, logger, connectionName: 'kinds', commandTimeoutMs: 10_000 });
  closers.push(connection.close);
  return { connection, lines };
}

const cluster = redisClusterUrl ?? '';
const sentinels = redisSentinelsUrl ?? '';
/** The first address of a cluster or of sentinels, as if it were a server. */
const firstOf = (url: string) => url.replace(/\+\w+/, '').replace(/,.*$/, '');

describe.skipIf(redisClusterUrl === undefined).each([
  ['a cluster', cluster],
  ['a primary with sentinels', sentinels],
])('%s', (kind, url) => {
  it('can be written, read and pinged, and describes its address', async () => {
    const { connection, lines } = await open(url);
    const { client } = connection;
    await Promise.all([connection.ping(), redisWrites(client, 'kinds')()]);
    const names = Array.from({ length: 30 }, (_, at) => key('kinds', `tag-${at}`, kind.length));
    await Promise.all(names.map((name) => client.set(name, name, 'PX', 60_000)));
    expect(await Promise.all(names.map((name) => client.get(name)))).toEqual(names);
    const hosts = [...url.matchAll(/127\.0\.0\.1:\d+/g)].map(([host]) => host);
    expect(lines.slice(1)).toEqual([]);
    const [line = ''] = lines;
    expect(JSON.parse(line)).toMatchObject({ msg: 'Redis is connected', redis: expect.stringContaining(hosts.join()) });
    expect(line).not.toContain(/:(\w+)@/.exec(url)?.[1]);
  });

  it('delivers messages to every subscriber, from any publisher', async () => {
    const [one, other] = [(await open(url)).connection, (await open(url)).connection];
    const received: string[] = [];
    const channels = Array.from({ length: 12 }, (_, at) => key('kinds', `${kind.length}-${at}`, 'channel'));
    for (const { subscriber } of [one, other]) {
      const listener = subscriber('words');
      const all = channels.map((channel) =>
        listener.listen(channel, (text) => void received.push(`${channel} ${text}`)),
      );
      await Promise.all(all.map(({ within }) => within(15_000)));
      all[0]?.end();
    }
    await vi.waitFor(async () => expect(await publishCounted(one.client, channels[0] ?? '', 'x')).toBe(0), SOON);
    received.length = 0;
    const counts = await Promise.all(channels.map((channel) => publishCounted(one.client, channel, 'x')));
    expect(counts).toEqual(channels.map((_, at) => (at === 0 ? 0 : 2)));
    await vi.waitFor(
      () =>
        expect(received.toSorted()).toEqual(
          channels
            .slice(1)
            .flatMap((name) => [`${name} x`, `${name} x`])
            .toSorted(),
        ),
      SOON,
    );
  });
});

describe.skipIf(redisClusterUrl === undefined || redisUrl === undefined)('a Redis of another kind than its URL', () => {
  it.each([
    ['a node of a cluster taken for a server', firstOf(cluster), 'needs redis\\+cluster://'],
    ['a server taken for a cluster', (redisUrl ?? '').replace('redis:', 'redis+cluster:'), 'one server is redis://'],
    [
      'a server taken for a sentinel',
      sentinels
        .replace(/(@[^/]*)/, `@${new URL(redisUrl ?? 'redis://x').host}`)
        .replace(/_password=.*/, `_password=${new URL(redisUrl ?? 'redis://x').password}`),
      'is no sentinel',
    ],
    ['a name unknown to the sentinels', sentinels.replace('/mlango', '/other'), 'unknown to its sentinels'],
  ])('%s does not start, and logs the cause', async (_, url, written) => {
    const opening = open(url);
    await expect(opening).rejects.toBeInstanceOf(EnvError);
    await expect(opening).rejects.toThrow(new RegExp(`REDIS_URL: the Redis it names .*${written}`));
  });

  it('a sentinel used as a server does not start either', async () => {
    const url = new URL(firstOf(sentinels));
    url.password = /sentinel_password=(\w+)/.exec(sentinels)?.[1] ?? '';
    await expect(open(url.href)).rejects.toThrow(/REDIS_URL: .* is a sentinel/);
  });
});

describe.skipIf(!canStartRedis)('a Redis', () => {
  it('that was unavailable at the start and turns out to be a cluster node is not used', async () => {
    const server = await startRedis({ cluster: true });
    closers.push(server.remove);
    await server.kill();
    const { connection, lines } = await open(server.url);
    await server.restart();
    await vi.waitFor(() => expect(lines.join('')).toContain('Redis is not used'), SOON);
    expect(lines.join('')).not.toContain('Redis is available again');
    const refused: unknown = await redisWrites(connection.client, 'kinds')().catch((error: unknown) => error);
    expect(unavailableStore(refused)).toBe('redis');
    await expect(connection.ping()).rejects.toThrow();
  });

  it('with TLS is accepted by its certificate only', async () => {
    const { key: privateKey, cert } = selfSigned('localhost');
    const server = await startRedis({ tls: { key: privateKey, cert, ca: cert } });
    closers.push(server.remove);
    const url = `rediss://:${new URL(server.url).password}@localhost:${server.tlsPort}`;
    const trusted = await open(url, cert);
    await trusted.connection.ping();
    expect(trusted.lines.join('')).toContain('"tls":true');
    for (const [address, ca] of [
      [url, undefined],
      [url.replace('localhost', '127.0.0.1'), cert],
    ] as const) {
      const { connection, lines } = await open(address, ca);
      await expect(connection.ping()).rejects.toThrow();
      await vi.waitFor(
        () => expect(lines.join('')).toMatch(/"reason":"(DEPTH_ZERO_SELF_SIGNED_CERT|ERR_TLS_CERT_ALTNAME_INVALID)"/),
        SOON,
      );
    }
  });
});

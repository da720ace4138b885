import { createServer, type Server, type Socket } from 'node:net';
import type { Cluster } from 'ioredis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../logging/index.js';
import { openRedis, type RedisConnection } from './open-redis.js';

const logger = createLogger({ service: 'test', level: 'silent' });

/** A cluster node with the commands that clients use: it answers with its slots, and delays GET on request. */
class Node {
  readonly requested: string[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #waiting: (() => void)[] = [];
  readonly #server: Server;
  owner: Node = this;

  constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('data', (bytes) => {
        for (const [command = '', ...rest] of commandsIn(bytes.toString())) {
          this.requested.push(command);
          if (command === 'get') this.#waiting.push(() => socket.write(bulk(rest[0] ?? '')));
          else if (command === 'quit') this.#waiting.push(() => socket.end('+OK\r\n'));
          else socket.write(this.#answer(command));
        }
      });
    });
  }

  readonly listen = () => new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  readonly answer = () => {
    for (const publish of this.#waiting.splice(0)) publish();
  };

  readonly close = () => {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  };

  #answer(command: string): string {
    if (command === 'cluster') return `*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n${bulk('127.0.0.1')}:${this.owner.port}\r\n`;
    return command === 'info' ? bulk('redis_mode:cluster') : '+OK\r\n';
  }
}

const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`;

/** Commands are short, so they arrive whole. */
function commandsIn(text: string): string[][] {
  return text
    .split(/^\*\d+\r\n/m)
    .slice(1)
    .map((each) =>
      [...each.matchAll(/\$\d+\r\n(.*)\r\n/g)].map(([, word = ''], at) => (at === 0 ? word.toLowerCase() : word)),
    );
}

describe('a node that the latest slot table no longer names', () => {
  const nodes: Node[] = [];
  let redis: RedisConnection;
  afterEach(async () => {
    for (const node of nodes.splice(0)) node.close();
    await redis.close();
  });

  it('answers pending commands before it is disconnected', async () => {
    const [left, owner] = [new Node(), new Node()];
    nodes.push(left, owner);
    await Promise.all(nodes.map((node) => node.listen()));
    redis = await openRedis({
      url: `redis+cluster://127.0.0.1:${left.port}`,
      logger,
      connectionName: 'leaving',
      commandTimeoutMs: 20_000,
    });
    const answers = ['one', 'two'].map((name) => redis.client.get(name));
    await vi.waitFor(() => expect(left.requested.filter((each) => each === 'get')).toHaveLength(2));
    left.owner = owner;
    (redis.client as Cluster).refreshSlotsCache();
    await vi.waitFor(() => expect(left.requested).toContain('quit'));
    left.answer();
    expect(await Promise.all(answers)).toEqual(['one', 'two']);
    const after = redis.client.get('three');
    await vi.waitFor(() => expect(owner.requested).toContain('get'));
    owner.answer();
    expect(await after).toBe('three');
  });
});

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { openRedis } from './open-redis.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A server that answers every command with `+OK`, ends the connection at QUIT, and records the chunks that arrive. */
async function openServer() {
  const reads: string[] = [];
  const server = createServer((socket: Socket) => {
    socket.on('data', (data) => {
      reads.push(String(data));
      const commands = String(data).match(/^\*\d+\r$/gm)?.length ?? 0;
      socket.write('+OK\r\n'.repeat(commands));
      if (/\r\nquit\r\n/i.test(String(data))) socket.end();
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => server.close());
  const { port } = server.address() as { port: number };
  return { reads, url: `redis://127.0.0.1:${port}` };
}

/** An open connection, and the chunks that arrive from it from now on. */
async function connect() {
  const { reads, url } = await openServer();
  const connection = await openRedis({ url, logger: pino({ level: 'silent' }), connectionName: 'test' });
  closers.push(connection.close);
  await connection.client.get('ready');
  reads.length = 0;
  return { ...connection, reads };
}

describe('commands to Redis', () => {
  it('of one turn of the event loop are written at once, in their order', async () => {
    const { client, reads } = await connect();
    const later = Promise.resolve().then(() => client.get('third'));
    await Promise.all([client.get('first'), client.get('second'), later]);
    expect(reads).toHaveLength(1);
    expect(reads[0]).toMatch(/first.*second.*third/s);
    await client.get('alone');
    expect(reads).toHaveLength(2);
  });

  it('keep their order if a pipeline, or bytes, come in between', async () => {
    const { client, reads } = await connect();
    const pipeline = client.pipeline().get('second').get('third');
    await Promise.all([
      client.get('first'),
      pipeline.exec(),
      client.set('fourth', Buffer.from([0xff, 0x00])),
      client.get('f\u00edfth'),
    ]);
    expect(reads.join('')).toMatch(/first.*second.*third.*fourth.*f\u00edfth/s);
  });

  it('hold deferred commands until the end of the turn', async () => {
    const { client, atEndOfTurn, reads } = await connect();
    const first = client.get('first');
    const second = new Promise((resolve) => atEndOfTurn(() => resolve(client.get('second'))));
    await Promise.all([first, second]);
    expect(reads).toHaveLength(1);
    expect(reads[0]).toMatch(/first.*second/s);
  });
});

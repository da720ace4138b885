import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { writeRepliesWhole } from './whole-replies.js';

const endings: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const end of endings.splice(0)) end();
});

/** What comes back for so many requests that are sent at once on one connection. */
async function replies(listener: RequestListener, times = 1): Promise<string> {
  const server = createServer(listener);
  endings.push(() => server.close());
  writeRepliesWhole(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const more = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(times - 1);
  caller.write(`${more}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  return (await buffer(caller)).toString();
}

it('a reply that is known whole is written in one piece', async () => {
  const inPieces = vi.spyOn(Socket.prototype, '_writev' as never);
  const text = await replies((_request, reply) => reply.setHeader('content-length', 9).end('één ñu'));
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]+\r\n\r\néén ñu$/);
  expect(inPieces).not.toHaveBeenCalled();
});

it('replies that wait for one another come in order, whatever they hold and however much', async () => {
  const large = '€'.repeat(2_000_000);
  let asked = 0;
  const bodies = ['', 'short', large, Buffer.from('bytes')];
  const text = await replies((_request, reply) => reply.end(bodies[asked++]), bodies.length);
  const [before, ...sent] = text.split(/HTTP\/1\.1 200 OK\r\n[\s\S]*?\r\n\r\n/);
  expect(before).toBe('');
  expect(sent.map((body, index) => body === String(bodies[index]))).toEqual([true, true, true, true]);
});

it('a reply that is written bit by bit is whole, too', async () => {
  const text = await replies((_request, reply) => {
    reply.write('one ');
    reply.write(Buffer.from('two '));
    reply.end('three');
  });
  expect(text).toMatch(/\r\n\r\n4\r\none \r\n4\r\ntwo \r\n5\r\nthree\r\n0\r\n\r\n$/);
});

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { closePipelinedReplies, whenReplyClosed } from './reply-closed.js';

/** Two pipelined requests on one connection, which neither of them has answered. */
async function pipelined() {
  const replies: ServerResponse[] = [];
  const server = createServer((_, reply) => replies.push(reply));
  closePipelinedReplies(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.write('GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n');
  await vi.waitFor(() => expect(replies).toHaveLength(2));
  return { client, replies };
}

it('each reply of a closed connection closes once, also one that waited for an earlier reply', async () => {
  const { client, replies } = await pipelined();
  const closed: number[] = [];
  for (const [at, reply] of replies.entries()) whenReplyClosed(reply, () => closed.push(at));
  client.destroy();
  await vi.waitFor(() => expect(new Set(closed)).toEqual(new Set([0, 1])));
  // Late replies, as of a handler that did not notice.
  for (const reply of replies) reply.end('late');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(closed).toHaveLength(2);
});

it('a reply that has closed already calls back at once', async () => {
  const { client, replies } = await pipelined();
  client.destroy();
  await vi.waitFor(() => expect(replies.map(({ closed }) => closed)).toEqual([true, true]));
  const done = vi.fn();
  for (const reply of replies) whenReplyClosed(reply, done);
  expect(done).toHaveBeenCalledTimes(2);
});

it('answered replies close once, in their order', async () => {
  const { client, replies } = await pipelined();
  const closed: number[] = [];
  for (const [at, reply] of replies.entries()) reply.on('close', () => closed.push(at));
  for (const reply of replies) reply.end('ok');
  await vi.waitFor(() => expect(closed).toEqual([0, 1]));
  client.destroy();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(closed).toEqual([0, 1]);
});

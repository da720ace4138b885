import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type Channel, http2Channel, NodeFailure } from '@mlango/grpc-channel';
import { afterEach, describe, expect, it } from 'vitest';
import { answerOver } from './http2-answers.js';
import { preparedReplies } from './prepared-replies.js';

const large = Buffer.alloc(200_000, 7);
let calls: string[] = [];
/** Echoes the request, or sends 200 kB. */
const node = {
  unary: async (path: string, request: Uint8Array) => {
    calls.push(path);
    if (path === '/s/Fails') throw new NodeFailure(5, 'not found');
    return { message: path === '/s/Large' ? large : Uint8Array.from(request), headers: [], trailers: [] };
  },
} as unknown as Channel;

const open: { server: Server; channel: Channel }[] = [];
afterEach(async () => {
  calls = [];
  for (const { server, channel } of open.splice(0)) {
    channel.close();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function openChannel(): Promise<Channel> {
  const replies = preparedReplies(node);
  const server = createServer((socket) => answerOver(socket, replies)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const channel = http2Channel({ target, maxReceiveBytes: 2 ** 24 });
  open.push({ server, channel });
  return channel;
}

describe('a prepared node', () => {
  it('answers each call with its height after thousands of headers', async () => {
    const channel = await openChannel();
    const heights = Array.from({ length: 2000 }, (_, at) => String(at * 7919));
    const replies = await Promise.all(
      heights.map((height, at) =>
        channel.unary('/s/Echo', Buffer.alloc(32, at % 5), { metadata: [['x-cosmos-block-height', height]] }),
      ),
    );
    const heightsOfReplies = replies.map(
      ({ headers }) => headers.find(([name]) => name === 'x-cosmos-block-height')?.[1],
    );
    expect(heightsOfReplies).toEqual(heights);
    expect(replies.map(({ message }) => message[0])).toEqual(heights.map((_, at) => at % 5));
  });

  it('calls the node once for equal requests, and keeps within the flow-control window', async () => {
    const channel = await openChannel();
    await channel.unary('/s/Large', Buffer.alloc(1));
    const replies = await Promise.all(Array.from({ length: 200 }, () => channel.unary('/s/Large', Buffer.alloc(1))));
    expect(replies.every(({ message }) => large.equals(message))).toBe(true);
    expect(calls).toEqual(['/s/Large']);
  });

  it('repeats the failure code of the node', async () => {
    const channel = await openChannel();
    await expect(channel.unary('/s/Fails', Buffer.alloc(1))).rejects.toMatchObject({ code: 5 });
  });
});

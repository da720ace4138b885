import { failureOf } from '@mlango/test-services/channel-contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BOTH_CHANNELS } from '../../test/both-channels.js';
import { GRPC_REPLY, onRequest, type PeerConnection, sendReply } from '../../test/frame-peer.js';
import { echo, meetPeer, patient, resets } from '../../test/meet-peer.js';
import { createChannel } from '../create-channel.js';
import { GRPC_CODES } from '../grpc-code.js';
import { ERROR, FLAG, FRAME } from '../http2/frames.js';
import type { Header } from '../http2/hpack-decoder.js';
import { encodeHeaders } from '../http2/hpack-encoder.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const FRAME_BYTES = 16_000;
/** 70 KB, and more headers than grpc-js takes. */
const MANY: readonly Header[] = Array.from({ length: 200 }, (_, index) => [`x-${index}`, 'x'.repeat(350)]);

function sendLarge(peer: PeerConnection, id: number, headers: readonly Header[], endStream: number): void {
  const block = encodeHeaders([...GRPC_REPLY, ['grpc-status', '3'], ...headers]);
  for (let at = 0; at < block.length; at += FRAME_BYTES) {
    const end = Math.min(block.length, at + FRAME_BYTES);
    const flags = (end === block.length ? FLAG.endHeaders : 0) | (at === 0 ? endStream : 0);
    peer.send(at === 0 ? FRAME.headers : FRAME.continuation, flags, id, block.subarray(at, end));
  }
}

/** The second request gets large headers; the others are answered after it. */
function secondIsLarge(headers: readonly Header[], endStream: number) {
  let first: number | undefined;
  return onRequest((peer, id, count) => {
    if (count === 1) first = id;
    else if (count === 2) {
      sendLarge(peer, id, headers, endStream);
      if (first !== undefined) sendReply(peer, first);
    } else sendReply(peer, id);
  });
}

describe.each(BOTH_CHANNELS)('reply headers beyond the limit, over %s,', (_, open) => {
  const meet = meetPeer(open);

  it.each([
    ['with the end of the stream', FLAG.endStream],
    ['before its end', 0],
  ])('fail that call alone, %s', async (_case, endStream) => {
    const { peer, node } = await meet(secondIsLarge(MANY, endStream));
    const other = echo(node);
    await vi.waitFor(() => expect(peer.received(FRAME.data)).toHaveLength(1), patient);
    expect(await failureOf(echo(node))).toMatchObject({ code: GRPC_CODES.resourceExhausted, tooLarge: true });
    expect((await other).message).toHaveLength(1);
    expect((await echo(node)).message).toHaveLength(1);
    expect(peer.connections).toHaveLength(1);
  });

  it('are not retried at another node, and do not pause a node', async () => {
    const large = onRequest((to, id) => sendLarge(to, id, MANY, FLAG.endStream));
    const targets = [(await meet(large)).peer.target, (await meet(large)).peer.target];
    const onRetry = vi.fn();
    const channel = createChannel({ targets, open, probe: async () => ({}), onRetry });
    closing.push(() => channel.close());
    for (let count = 0; count < 8; count += 1) {
      expect((await failureOf(echo(channel))).code).toBe(GRPC_CODES.resourceExhausted);
    }
    expect(channel.nodes().map(({ state }) => state)).toEqual(['live', 'live']);
    expect(onRetry).not.toHaveBeenCalled();
  });
});

describe('reply headers beyond the limit', () => {
  const meet = meetPeer();

  it('are announced to the node with the limit', async () => {
    const { peer, node } = await meet(onRequest((to, id) => sendReply(to, id)));
    await echo(node);
    const [settings] = peer.received(FRAME.settings);
    expect(settings?.payload.toString('hex')).toContain('000600010000');
  });

  it.each([
    ['one text of 70 KB', [['grpc-message', 'x'.repeat(70_000)]]],
    ['one text of 900 KB', [['grpc-message', 'x'.repeat(900_000)]]],
  ] as const)('of %s fail that call alone and reset its stream', async (_, headers) => {
    const { peer, node } = await meet(secondIsLarge(headers, 0));
    const other = echo(node);
    await vi.waitFor(() => expect(peer.received(FRAME.data)).toHaveLength(1), patient);
    expect(await failureOf(echo(node))).toMatchObject({ code: GRPC_CODES.resourceExhausted, tooLarge: true });
    expect((await other).message).toHaveLength(1);
    await vi.waitFor(() => expect(resets(peer)).toEqual([ERROR.cancel]), patient);
    expect(peer.connections).toHaveLength(1);
  });

  it('end the connection from 1 MiB on', async () => {
    const { peer, node } = await meet(secondIsLarge([['grpc-message', 'x'.repeat(1_100_000)]], FLAG.endStream));
    const other = failureOf(echo(node));
    await vi.waitFor(() => expect(peer.received(FRAME.data)).toHaveLength(1), patient);
    expect((await failureOf(echo(node))).code).toBe(GRPC_CODES.unavailable);
    expect((await other).code).toBe(GRPC_CODES.unavailable);
  });
});

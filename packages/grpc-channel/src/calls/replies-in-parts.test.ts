import { callTo, failureOf } from '@mlango/test-services/channel-contract';
import { describe, expect, it, vi } from 'vitest';
import { GRPC_REPLY, message, OK, onRequest, type PeerConnection, sendHeaders } from '../../test/frame-peer.js';
import { echo, meetPeer, patient } from '../../test/meet-peer.js';
import { FLAG, FRAME } from '../http2/frames.js';
import { BusyError } from '../retry-later-error.js';

const meet = meetPeer();

function allowanceOf(limitBytes: number) {
  return {
    bytes: 0,
    take(bytes: number): boolean {
      if (this.bytes > 0 && this.bytes + bytes > limitBytes) return false;
      this.bytes += bytes;
      return true;
    },
    give(bytes: number): void {
      this.bytes -= bytes;
    },
  };
}

const reply = message(Array(2000).fill(7));

/** Sends the first part of a reply, and returns a function that sends the rest. */
function begin(to: PeerConnection, id: number): () => void {
  sendHeaders(to, id, GRPC_REPLY);
  to.send(FRAME.data, 0, id, reply.subarray(0, 1500));
  return () => {
    to.send(FRAME.data, 0, id, reply.subarray(1500));
    sendHeaders(to, id, OK, FLAG.endStream);
  };
}

describe('replies that come in parts', () => {
  it('share one byte budget over all connections, and release it completely', async () => {
    const budget = allowanceOf(2500);
    const held: (() => void)[] = [];
    const { node } = await meet(
      onRequest((to, id) => void held.push(begin(to, id))),
      { replyBytes: budget },
    );
    const other = await meet(
      onRequest((to, id) => begin(to, id)()),
      { replyBytes: budget },
    );
    const first = echo(node);
    await vi.waitFor(() => expect(budget.bytes).toBe(1495), patient);
    expect(await failureOf(echo(other.node))).toBeInstanceOf(BusyError);
    expect(budget.bytes).toBe(1495);
    held[0]?.();
    expect((await first).message).toHaveLength(2000);
    expect(budget.bytes).toBe(0);
    expect((await echo(other.node)).message).toHaveLength(2000);
    expect(budget.bytes).toBe(0);
  });

  it('release their bytes when the caller cancels, the deadline passes or the connection breaks', async () => {
    const budget = allowanceOf(1_000_000);
    const { peer, node } = await meet(onRequest(begin), { replyBytes: budget });
    const controller = new AbortController();
    const failures = [
      failureOf(node.unary(...callTo('Echo', { signal: controller.signal }))),
      failureOf(node.unary(...callTo('Echo', { timeoutMs: 300 }))),
      failureOf(echo(node)),
    ];
    await vi.waitFor(() => expect(budget.bytes).toBe(3 * 1495), patient);
    controller.abort();
    await failures[0];
    await failures[1];
    expect(budget.bytes).toBe(1495);
    for (const { socket } of peer.connections) socket.destroy();
    await failures[2];
    expect(budget.bytes).toBe(0);
  });
});

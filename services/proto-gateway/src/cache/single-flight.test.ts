import { http2Channel, NodeFailure, type Reply } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { describe, expect, it } from 'vitest';
import { callTo, chainNodeContract, failureOf } from '../nodes/chain-node.contract.js';
import { type ChainNode, type NodeCall, nodeOverChannel } from '../nodes/chain-node.js';
import { singleFlight } from './single-flight.js';

chainNodeContract('a node behind shared calls', (target) =>
  singleFlight(nodeOverChannel(http2Channel({ target, maxReceiveBytes: 100_000 })), () => performance.now()),
);

interface Requested {
  readonly call: NodeCall;
  answer(byte: number): void;
  fail(code: 4 | 14): void;
}

/** A node that answers when the test triggers it, or when the call is cancelled. */
function recordingNode(): { node: ChainNode; requested: Requested[] } {
  const requested: Requested[] = [];
  const node: ChainNode = {
    call: (call) =>
      new Promise<Reply>((resolve, reject) => {
        call.signal.addEventListener('abort', () => reject(new NodeFailure(GRPC_CODES.cancelled, 'cancelled')));
        requested.push({
          call,
          answer: (byte) => resolve({ message: Uint8Array.of(byte), headers: [], trailers: [] }),
          fail: (code) => reject(new NodeFailure(code, 'failed')),
        });
      }),
    stream() {
      throw new Error('unexpected call');
    },
    close() {},
  };
  return { node, requested };
}

const { cancelled, deadlineExceeded, unavailable } = GRPC_CODES;

describe('identical calls at the same time', () => {
  it('are one call to the node, with one reply for all callers', async () => {
    const { node, requested } = recordingNode();
    const shared = singleFlight(node, () => 0);
    const calls = Array.from({ length: 50 }, () => shared.call(callTo('Echo')));
    requested[0]?.answer(7);
    expect((await Promise.all(calls)).map((reply) => reply.message[0])).toEqual(Array(50).fill(7));
    expect(requested).toHaveLength(1);
    const later = shared.call(callTo('Echo'));
    expect(requested).toHaveLength(2);
    requested[1]?.answer(8);
    expect((await later).message[0]).toBe(8);
  });

  it('fail together', async () => {
    const { node, requested } = recordingNode();
    const shared = singleFlight(node, () => 0);
    const calls = [failureOf(shared.call(callTo('Echo'))), failureOf(shared.call(callTo('Echo')))];
    requested[0]?.fail(unavailable);
    expect((await Promise.all(calls)).map((failure) => failure.code)).toEqual([unavailable, unavailable]);
  });

  it.each<[string, Partial<NodeCall>]>([
    ['another method', { path: '/test.Raw/Other' }],
    ['another request', { request: Uint8Array.of(9) }],
    ['another height', { metadata: [['x-cosmos-block-height', '5']] }],
    ['other credentials', { metadata: [['authorization', 'Bearer a']] }],
    ['other metadata', { metadata: [['x', 'y']] }],
  ])('are not those with %s', async (_, difference) => {
    const { node, requested } = recordingNode();
    const shared = singleFlight(node, () => 0);
    const calls = [shared.call(callTo('Echo')), shared.call(callTo('Echo', difference))];
    expect(requested).toHaveLength(2);
    for (const [byte, one] of requested.entries()) one.answer(byte);
    expect((await Promise.all(calls)).map((reply) => reply.message[0])).toEqual([0, 1]);
  });

  it('are those of different callers, and those with another spelling of the height', () => {
    const { node, requested } = recordingNode();
    const shared = singleFlight(node, () => 0);
    // There is no answer: each call fails at its deadline, after this test.
    void failureOf(shared.call(callTo('Echo', { metadata: [['x-forwarded-for', '192.0.2.1']] })));
    void failureOf(shared.call(callTo('Echo', { metadata: [['x-forwarded-for', '192.0.2.2']] })));
    void failureOf(shared.call(callTo('Echo', { metadata: [['x-cosmos-block-height', '0']] })));
    expect(requested).toHaveLength(1);
  });

  it('continue when the first caller leaves, and are cancelled when the last one leaves', async () => {
    const { node, requested } = recordingNode();
    const shared = singleFlight(node, () => 0);
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [first, second].map(({ signal }) => failureOf(shared.call(callTo('Echo', { signal }))));
    first.abort();
    expect((await calls[0])?.code).toBe(cancelled);
    expect(requested[0]?.call.signal.aborted).toBe(false);
    second.abort();
    expect((await calls[1])?.code).toBe(cancelled);
    expect(requested[0]?.call.signal.aborted).toBe(true);
  });

  it('end for each caller at its own deadline', async () => {
    const { node, requested } = recordingNode();
    const shared = singleFlight(node, () => performance.now());
    const patient = shared.call(callTo('Echo'));
    const hasty = failureOf(shared.call(callTo('Echo', { timeoutMs: 20 })));
    expect((await hasty).code).toBe(deadlineExceeded);
    requested[0]?.answer(1);
    expect((await patient).message[0]).toBe(1);
  });

  it('are repeated for callers with more time than the first', async () => {
    const { node, requested } = recordingNode();
    let clock = 0;
    const shared = singleFlight(node, () => clock);
    const hasty = failureOf(shared.call(callTo('Echo', { timeoutMs: 50 })));
    const patient = shared.call(callTo('Echo', { timeoutMs: 1000 }));
    clock = 50;
    requested[0]?.fail(deadlineExceeded);
    expect((await hasty).code).toBe(deadlineExceeded);
    await Promise.resolve();
    expect(requested[1]?.call.timeoutMs).toBe(950);
    requested[1]?.answer(3);
    expect((await patient).message[0]).toBe(3);
  });
});

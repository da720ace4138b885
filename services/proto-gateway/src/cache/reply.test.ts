import { http2Channel, NodeFailure } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { describe, expect, it } from 'vitest';
import { callTo, chainNodeContract, failureOf } from '../nodes/chain-node.contract.js';
import { type ChainNode, type NodeCall, nodeOverChannel } from '../nodes/chain-node.js';
import { cacheReplies } from './reply.js';

chainNodeContract('a node behind a cache', (target) =>
  cacheReplies(
    nodeOverChannel(http2Channel({ target, maxReceiveBytes: 100_000 })),
    { ttlMs: 0, limitBytes: 1_000_000 },
    () => 0,
  ),
);

const HEIGHT = 'x-cosmos-block-height';
const at = (height: string): Partial<NodeCall> => ({ metadata: [[HEIGHT, height]] });

/** A node that answers with the number of the call, at the requested height or at its own. */
function countingNode(answersAt?: string): { node: ChainNode; calls: () => number } {
  let calls = 0;
  const node: ChainNode = {
    async call(call) {
      calls += 1;
      if (call.path.endsWith('/Fail')) throw new NodeFailure(GRPC_CODES.notFound, 'nothing');
      const requested = call.metadata.find(([name]) => name === HEIGHT)?.[1] ?? '100';
      return { message: Uint8Array.of(calls), headers: [[HEIGHT, answersAt ?? requested]], trailers: [] };
    },
    stream() {
      throw new Error('unexpected call');
    },
    close() {},
  };
  return { node, calls: () => calls };
}

function cached(answersAt?: string, limitBytes = 1_000_000) {
  const { node, calls } = countingNode(answersAt);
  const clock = { ms: 0 };
  return { clock, calls, cache: cacheReplies(node, { ttlMs: 6000, limitBytes }, () => clock.ms) };
}

describe('a cache of replies', () => {
  it('repeats a reply at the latest height until its lifetime ends', async () => {
    const { cache, calls, clock } = cached();
    await cache.call(callTo('Echo'));
    clock.ms = 5999;
    expect((await cache.call(callTo('Echo'))).message[0]).toBe(1);
    clock.ms = 6000;
    expect((await cache.call(callTo('Echo'))).message[0]).toBe(2);
    expect(calls()).toBe(2);
  });

  it('keeps a reply at a height without expiry', async () => {
    const { cache, calls, clock } = cached();
    await cache.call(callTo('Echo', at('42')));
    clock.ms = 1e12;
    expect((await cache.call(callTo('Echo', at('042')))).message[0]).toBe(1);
    await cache.call(callTo('Echo', at('43')));
    await cache.call(callTo('Echo'));
    expect(calls()).toBe(3);
  });

  it('does not cache a reply under a height that the node did not confirm', async () => {
    const { cache, calls, clock } = cached('41');
    await cache.call(callTo('Echo', at('42')));
    clock.ms = 6000;
    await cache.call(callTo('Echo', at('42')));
    expect(calls()).toBe(2);
  });

  it('caches no failures and no calls with the caller’s own metadata', async () => {
    const { cache, calls } = cached();
    for (let count = 0; count < 2; count += 1) {
      await failureOf(cache.call(callTo('Fail')));
      await cache.call(callTo('Echo', { metadata: [['authorization', 'Bearer a']] }));
    }
    expect(calls()).toBe(4);
  });

  it('evicts the least recently used replies, and stores none above the limit', async () => {
    // Room for two entries of about 550 bytes.
    const { cache, calls } = cached(undefined, 1200);
    const send = async (byte: number) =>
      (await cache.call(callTo('Echo', { request: Uint8Array.of(byte) }))).message[0];
    expect([await send(1), await send(2), await send(1), await send(3), await send(1)]).toEqual([1, 2, 1, 3, 1]);
    expect(await send(2)).toBe(4);
    expect(calls()).toBe(4);
    const tiny = cached(undefined, 100);
    for (let count = 0; count < 2; count += 1) await tiny.cache.call(callTo('Echo'));
    expect(tiny.calls()).toBe(2);
  });
});

import { callTo, failureOf } from '@mlango/test-services/channel-contract';
import { describe, expect, it } from 'vitest';
import { BLOCKS, rangeOf } from '../../test/pool-of.js';
import type { Channel } from '../channel.js';
import { GRPC_CODES } from '../grpc-code.js';
import { RetryLaterError } from '../retry-later-error.js';
import { KnownNode } from './known-node.js';
import { nodePool } from './node-pool.js';

/** A node with a known position, which answers with its name and its reported position. */
function nodeAt(name: number, polled: number | undefined, reported = polled, range = ''): KnownNode {
  const node: Channel = {
    unary: async () => ({
      message: Uint8Array.of(name),
      headers: reported === undefined ? [] : [['x-block', String(reported)]],
      trailers: [],
    }),
    stream: () => ({
      headers: Promise.resolve([]),
      messages: (async function* one() {
        yield Uint8Array.of(name);
        return [];
      })(),
    }),
    close() {},
  };
  const known = new KnownNode(node, { target: 'node:1', range: rangeOf(range), positions: BLOCKS, now: () => 0 });
  known.probed(polled);
  return known;
}

const pool = (...nodes: readonly KnownNode[]) =>
  nodePool(nodes, { positions: BLOCKS, random: Math.random, now: () => performance.now() });
const soon = { timeoutMs: 50 };

describe('a call with a minimum', () => {
  it('goes to nodes that have that position, and to no other', async () => {
    const nodes = pool(nodeAt(1, 100), nodeAt(2, 98), nodeAt(3, undefined, 200), nodeAt(4, 300, 300, '@1-500'));
    for (let count = 0; count < 30; count += 1) {
      expect((await nodes.unary(...callTo('Echo', { atLeast: 99 }))).message[0]).toBe(1);
    }
  });

  it('waits for a node to have the position, and no longer', async () => {
    const [late, other] = [nodeAt(1, 100), nodeAt(2, 90)];
    const called = pool(late, other).unary(...callTo('Echo', { atLeast: 101 }));
    await expect(Promise.race([called, Promise.resolve('waits')])).resolves.toBe('waits');
    expect(late.onHigher.size).toBe(1);
    other.probed(99);
    late.probed(101);
    // Its reply still has the block before, so it is discarded.
    expect(await failureOf(called)).toBeInstanceOf(RetryLaterError);
    const third = nodeAt(3, 100, 103);
    const next = pool(third, other).unary(...callTo('Echo', { atLeast: 102 }));
    third.probed(103);
    expect((await next).message[0]).toBe(3);
    expect([late, other, third].map(({ onHigher }) => onHigher.size)).toEqual([0, 0, 0]);
  });

  it.each<[string, KnownNode]>([
    ['is behind', nodeAt(1, 100)],
    ['reports no position', nodeAt(1, undefined)],
    ['answers from an older position than it reported', nodeAt(1, 101, 100)],
  ])('fails temporarily with a node that %s, also without other nodes', async (_, node) => {
    const failure = await failureOf(pool(node).unary(...callTo('Echo', { ...soon, atLeast: 101 })));
    expect(failure).toBeInstanceOf(RetryLaterError);
    expect([failure.code, failure.message]).toEqual([
      GRPC_CODES.unavailable,
      'No node here is known to have block 101 yet',
    ]);
    expect(node.onHigher.size).toBe(0);
  });

  it('retries at another node if the first reply is older', async () => {
    for (let count = 0; count < 10; count += 1) {
      const nodes = pool(nodeAt(1, 101, 100), nodeAt(2, 101));
      expect((await nodes.unary(...callTo('Echo', { atLeast: 101 }))).message[0]).toBe(2);
    }
  });

  it('ends when its caller cancels', async () => {
    const controller = new AbortController();
    const node = nodeAt(1, 100);
    const called = failureOf(pool(node).unary(...callTo('Echo', { atLeast: 101, signal: controller.signal })));
    controller.abort();
    expect((await called).code).toBe(GRPC_CODES.cancelled);
    expect(node.onHigher.size).toBe(0);
  });

  it('applies to streams at once, without waiting', async () => {
    const nodes = pool(nodeAt(1, 100), nodeAt(2, 102));
    for (let count = 0; count < 10; count += 1) {
      const { messages } = nodes.stream(...callTo('Echo', { atLeast: 101 }));
      expect((await messages[Symbol.asyncIterator]().next()).value).toEqual(Uint8Array.of(2));
    }
    const { headers, messages } = nodes.stream(...callTo('Echo', { atLeast: 103 }));
    await expect(headers).rejects.toBeInstanceOf(RetryLaterError);
    await expect(messages[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(RetryLaterError);
  });

  it('returns the reply of a call with effects at any position', async () => {
    const reply = await pool(nodeAt(1, 101, 100)).unary(...callTo('Echo', { atLeast: 101, mustNotRetry: true }));
    expect(reply.message[0]).toBe(1);
  });
});

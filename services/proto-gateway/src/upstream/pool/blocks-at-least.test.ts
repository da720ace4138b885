import { LaterFailure } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { HEIGHT_HEADER } from '@mlango/transcoder/metadata';
import { describe, expect, it } from 'vitest';
import { heightsOf } from '../../../test/pool-of.js';
import { callTo, failureOf } from '../chain-node.contract.js';
import type { ChainNode } from '../chain-node.js';
import { KnownNode } from './known-node.js';
import { nodePool } from './node-pool.js';

/** A node that is known to have a block, and answers with its name from the block it says. */
function nodeAt(name: number, polled: string | null, tells = polled, range = ''): KnownNode {
  const node: ChainNode = {
    call: async () => ({
      message: Uint8Array.of(name),
      headers: tells === null ? [] : [[HEIGHT_HEADER, tells]],
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
  const known = new KnownNode(node, heightsOf(range), () => 0);
  known.probed(polled);
  return known;
}

const pool = (...[first, ...more]: readonly [KnownNode, ...KnownNode[]]) =>
  nodePool([first, ...more], { maxLagBlocks: 3, random: Math.random, now: () => performance.now() });
const soon = { timeoutMs: 50 };

describe('a call with a minimum', () => {
  it('goes to nodes that have that block, and to no other', async () => {
    const nodes = pool(nodeAt(1, '100'), nodeAt(2, '98'), nodeAt(3, null, '200'), nodeAt(4, '300', '300', '@1-500'));
    for (let count = 0; count < 30; count += 1) {
      expect((await nodes.call(callTo('Echo', { atLeast: 99 }))).message[0]).toBe(1);
    }
  });

  it('waits for a node to have the block, and no longer', async () => {
    const [late, other] = [nodeAt(1, '100'), nodeAt(2, '90')];
    const asked = pool(late, other).call(callTo('Echo', { atLeast: 101 }));
    await expect(Promise.race([asked, Promise.resolve('waits')])).resolves.toBe('waits');
    expect(late.onHigher.size).toBe(1);
    other.probed('99');
    late.probed('101');
    // Its reply still tells the block before, so it is not given.
    expect(await failureOf(asked)).toBeInstanceOf(LaterFailure);
    const third = nodeAt(3, '100', '103');
    const next = pool(third, other).call(callTo('Echo', { atLeast: 102 }));
    third.probed('103');
    expect((await next).message[0]).toBe(3);
    expect([late, other, third].map(({ onHigher }) => onHigher.size)).toEqual([0, 0, 0]);
  });

  it.each<[string, KnownNode]>([
    ['is behind', nodeAt(1, '100')],
    ['does not say how far it is', nodeAt(1, null)],
    ['answers from an older block than it said', nodeAt(1, '101', '100')],
  ])('fails for a while with a node that %s, alone too', async (_, node) => {
    const failure = await failureOf(pool(node).call(callTo('Echo', { ...soon, atLeast: 101 })));
    expect(failure).toBeInstanceOf(LaterFailure);
    expect([failure.code, failure.message]).toEqual([
      GRPC_CODES.unavailable,
      'No chain node here is known to have block 101 yet',
    ]);
    expect(node.onHigher.size).toBe(0);
  });

  it('asks another node that has the block where the first one answers from an older one', async () => {
    for (let count = 0; count < 10; count += 1) {
      const nodes = pool(nodeAt(1, '101', '100'), nodeAt(2, '101'));
      expect((await nodes.call(callTo('Echo', { atLeast: 101 }))).message[0]).toBe(2);
    }
  });

  it('ends with its caller', async () => {
    const controller = new AbortController();
    const node = nodeAt(1, '100');
    const asked = failureOf(pool(node).call(callTo('Echo', { atLeast: 101, signal: controller.signal })));
    controller.abort();
    expect((await asked).code).toBe(GRPC_CODES.cancelled);
    expect(node.onHigher.size).toBe(0);
  });

  it('holds streams to it at once', async () => {
    const nodes = pool(nodeAt(1, '100'), nodeAt(2, '102'));
    for (let count = 0; count < 10; count += 1) {
      const { messages } = nodes.stream(callTo('Echo', { atLeast: 101 }));
      expect((await messages[Symbol.asyncIterator]().next()).value).toEqual(Uint8Array.of(2));
    }
    const { headers, messages } = nodes.stream(callTo('Echo', { atLeast: 103 }));
    await expect(headers).rejects.toBeInstanceOf(LaterFailure);
    await expect(messages[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(LaterFailure);
  });

  it('gives what a call did that may change something, whatever block it tells', async () => {
    const reply = await pool(nodeAt(1, '101', '100')).call(callTo('Echo', { atLeast: 101, isOnce: true }));
    expect(reply.message[0]).toBe(1);
  });
});

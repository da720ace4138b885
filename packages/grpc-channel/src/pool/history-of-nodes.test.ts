import { callTo, failureOf } from '@mlango/test-services/channel-contract';
import { describe, expect, it } from 'vitest';
import { BLOCKS, rangeOf } from '../../test/pool-of.js';
import type { Channel } from '../channel.js';
import { GRPC_CODES, type GrpcCode } from '../grpc-code.js';
import { NodeFailure } from '../node-failure.js';
import { KnownNode } from './known-node.js';
import { nodePool } from './node-pool.js';

const { unavailable, outOfRange } = GRPC_CODES;

/** Nodes by their ranges, which record their calls. */
function nodes(called: string[], ...ranges: readonly (readonly [name: string, range: string, code?: GrpcCode])[]) {
  const made = ranges.map(([name, range, code]): KnownNode => {
    const channel: Channel = {
      async unary() {
        called.push(name);
        if (code !== undefined) throw new NodeFailure(code, `${name} is away`);
        return { message: new Uint8Array(), headers: [], trailers: [] };
      },
      stream() {
        called.push(name);
        return {
          headers: Promise.resolve([]),
          messages: (async function* none() {
            yield* [];
            return [];
          })(),
        };
      },
      close: () => void called.push(`${name} closed`),
    };
    return new KnownNode(channel, { target: name, range: rangeOf(range), now: () => 0 });
  });
  return nodePool(made, { positions: BLOCKS, random: Math.random, now: () => 0 });
}

const at = (block?: bigint) => callTo('Echo', { at: block });

describe('nodes with parts of a history', () => {
  it('get calls in their range: old positions the archive, others the rest', async () => {
    const called: string[] = [];
    const all = nodes(called, ['archive', '@1-99'], ['new', '@100-']);
    for (const block of [1n, 99n, 100n, 5000n, undefined, undefined]) await all.unary(...at(block));
    expect(called).toEqual(['archive', 'archive', 'new', 'new', 'new', 'new']);
  });

  it('alternate among those that have the position', async () => {
    const called: string[] = [];
    const all = nodes(called, ['a', '@1-99'], ['b', ''], ['c', '@50-']);
    for (let count = 0; count < 40; count += 1) await all.unary(...at(60n));
    expect(new Set(called.splice(0))).toEqual(new Set(['a', 'b', 'c']));
    for (let count = 0; count < 4; count += 1) await all.unary(...at());
    expect(called.sort()).toEqual(['b', 'b', 'c', 'c']);
  });

  it('are retried at another node with the position only', async () => {
    const called: string[] = [];
    const all = nodes(called, ['a', '@1-99', unavailable], ['new', '@100-'], ['b', '@1-99']);
    // Nodes alternate, from either first one.
    for (let count = 0; count < 4; count += 1) await all.unary(...at(5n));
    expect(called).toContain('a');
    expect(called.join(' ')).toMatch(/^(a b|b)( a b| b)*$/);
    called.length = 0;
    const failure = await failureOf(nodes(called, ['a', '@1-99', unavailable], ['new', '@100-']).unary(...at(5n)));
    expect([failure.code, called]).toEqual([unavailable, ['a']]);
  });

  it('fail with the available ranges at a position of no node, streams too', async () => {
    const all = nodes([], ['a', '@10-20'], ['b', '@100-']);
    const failure = await failureOf(all.unary(...at(50n)));
    expect([failure.code, failure.message]).toEqual([
      outOfRange,
      'No node here has block 50. Served are: 10 to 20, from 100.',
    ]);
    const { headers, messages } = all.stream(...at(50n));
    await expect(headers).rejects.toBe(await failureOf(messages[Symbol.asyncIterator]().next()));
  });

  it('answer a stream at its position, and are each closed once', async () => {
    const called: string[] = [];
    const all = nodes(called, ['archive', '@1-99'], ['new', '@100-']);
    await all.stream(...at(7n)).headers;
    all.close();
    expect(called).toEqual(['archive', 'archive closed', 'new closed']);
  });
});

import { NodeFailure } from '@mlango/grpc-channel';
import { GRPC_CODES, type GrpcCode } from '@mlango/transcoder/grpc-status';
import { HEIGHT_HEADER } from '@mlango/transcoder/metadata';
import { describe, expect, it } from 'vitest';
import { expectError } from '../../../test/gateway-on-node.js';
import { heightsOf } from '../../../test/pool-of.js';
import { testApp } from '../../../test/test-app.js';
import { callTo, failureOf } from '../chain-node.contract.js';
import type { ChainNode } from '../chain-node.js';
import { KnownNode } from './known-node.js';
import { nodePool } from './node-pool.js';

const { unavailable, outOfRange } = GRPC_CODES;

/** Nodes by their ranges, which note who was asked. */
function nodes(asked: string[], ...ranges: readonly (readonly [name: string, range: string, code?: GrpcCode])[]) {
  const made = ranges.map(([name, range, code]): KnownNode => {
    const node: ChainNode = {
      async call() {
        asked.push(name);
        if (code !== undefined) throw new NodeFailure(code, `${name} is away`);
        return { message: new Uint8Array(), headers: [], trailers: [] };
      },
      stream() {
        asked.push(name);
        return {
          headers: Promise.resolve([]),
          messages: (async function* none() {
            yield* [];
            return [];
          })(),
        };
      },
      close: () => void asked.push(`${name} closed`),
    };
    return new KnownNode(node, heightsOf(range), () => 0);
  });
  const [first, ...rest] = made;
  if (first === undefined) throw new Error('no nodes');
  return nodePool([first, ...rest], { maxLagBlocks: 3, random: Math.random, now: () => 0 });
}

const at = (height?: string) => callTo('Echo', { metadata: height === undefined ? [] : [[HEIGHT_HEADER, height]] });

describe('nodes with ranges of heights', () => {
  it('are asked for what they have: old blocks the archive, the rest the others', async () => {
    const asked: string[] = [];
    const all = nodes(asked, ['archive', '@1-99'], ['new', '@100-']);
    for (const height of ['1', '99', '100', '5000', '0', undefined]) await all.call(at(height));
    expect(asked).toEqual(['archive', 'archive', 'new', 'new', 'new', 'new']);
  });

  it('go round among those that have the height', async () => {
    const asked: string[] = [];
    const all = nodes(asked, ['a', '@1-99'], ['b', ''], ['c', '@50-']);
    for (let count = 0; count < 40; count += 1) await all.call(at('60'));
    expect(new Set(asked.splice(0))).toEqual(new Set(['a', 'b', 'c']));
    for (let count = 0; count < 4; count += 1) await all.call(at());
    expect(asked.sort()).toEqual(['b', 'b', 'c', 'c']);
  });

  it('are asked once more on another one that has the height, and on no other', async () => {
    const asked: string[] = [];
    const all = nodes(asked, ['a', '@1-99', unavailable], ['new', '@100-'], ['b', '@1-99']);
    // Whichever of the two is asked first, the other one is next.
    for (let count = 0; count < 4; count += 1) await all.call(at('5'));
    expect(asked).toContain('a');
    expect(asked.join(' ')).toMatch(/^(a b|b)( a b| b)*$/);
    asked.length = 0;
    const failure = await failureOf(nodes(asked, ['a', '@1-99', unavailable], ['new', '@100-']).call(at('5')));
    expect([failure.code, asked]).toEqual([unavailable, ['a']]);
  });

  it('fail with what they do have at a height that none has, streams too', async () => {
    const all = nodes([], ['a', '@10-20'], ['b', '@100-']);
    const failure = await failureOf(all.call(at('50')));
    expect([failure.code, failure.message]).toEqual([
      outOfRange,
      'No chain node here has height 50. Served are: 10 to 20, from 100.',
    ]);
    const { headers, messages } = all.stream(at('50'));
    await expect(headers).rejects.toBe(await failureOf(messages[Symbol.asyncIterator]().next()));
  });

  it('answer a stream at its height, and are each closed once', async () => {
    const asked: string[] = [];
    const all = nodes(asked, ['archive', '@1-99'], ['new', '@100-']);
    await all.stream(at('7')).headers;
    all.close();
    expect(asked).toEqual(['archive', 'archive closed', 'new closed']);
  });

  it('are 400 for the caller at a height that none has', async () => {
    const app = await testApp(nodes([], ['a', '@10-20'], ['b', '@100-']));
    const message = expectError(await app.inject('/proto/token/params?height=50'), 400, 11);
    expect(message).toContain('No chain node here has height 50');
    await app.close();
  });
});

import { FairSemaphore } from '@mlango/async/fair-semaphore';
import { http2Channel } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { describe, expect, it } from 'vitest';
import { expectError } from '../../test/support/gateway-on-node.js';
import { testApp } from '../../test/support/test-app.js';
import { limitCalls } from './call-limit.js';
import { callTo, chainNodeContract, failureOf } from './chain-node.contract.js';
import { type ChainNode, nodeOverChannel } from './chain-node.js';

const callsOf = (total: number, address = total) =>
  new FairSemaphore({ name: 'node_calls', total, shares: { address } });

chainNodeContract('a node with a bound on its calls', (target) =>
  limitCalls(nodeOverChannel(http2Channel({ target, maxReceiveBytes: 100_000 })), callsOf(100), {
    onDuration: () => {},
  }),
);

/** A node that answers its calls when the test releases them. */
function heldNode(pool = callsOf(2)) {
  const waiting: (() => void)[] = [];
  const held: ChainNode = {
    async call() {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { message: new Uint8Array(), headers: [], trailers: [] };
    },
    stream: () => ({
      headers: Promise.resolve([]),
      messages: (async function* two() {
        yield Uint8Array.of(1);
        yield Uint8Array.of(2);
        return [];
      })(),
    }),
    close() {},
  };
  const took: number[] = [];
  const node = limitCalls(held, pool, {
    onDuration: (seconds) => took.push(seconds),
  });
  const letGo = (): void => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { node, running: () => pool.taken, took, letGo };
}

describe('a bound on calls', () => {
  it('refuses the call beyond it at once, and accepts another when one has ended', async () => {
    const { node, running, took, letGo } = heldNode();
    const both = [node.call(callTo('Echo')), node.call(callTo('Echo'))];
    expect(running()).toBe(2);
    expect((await failureOf(node.call(callTo('Echo')))).code).toBe(GRPC_CODES.resourceExhausted);
    await expect(node.stream(callTo('Count')).headers).rejects.toThrow('Too many');
    letGo();
    await Promise.all(both);
    expect(running()).toBe(0);
    expect(took).toEqual([expect.any(Number), expect.any(Number)]);
  });

  it('refuses the calls of one address beyond its share, and accepts those of others', async () => {
    const { node, running, letGo } = heldNode(callsOf(3, 2));
    const of = (address: string) => node.call(callTo('Echo', { address }));
    const taken = [of('192.0.2.1'), of('192.0.2.1')];
    expect((await failureOf(of('192.0.2.1'))).code).toBe(GRPC_CODES.resourceExhausted);
    taken.push(of('192.0.2.2'));
    expect(running()).toBe(3);
    letGo();
    await Promise.all(taken);
    expect(running()).toBe(0);
  });

  it('counts a stream until it ends, is cancelled, or its caller disconnects', async () => {
    const { node, running } = heldNode();
    for await (const bytes of node.stream(callTo('Count')).messages) expect(bytes.length + running()).toBe(2);
    expect(running()).toBe(0);
    for await (const _ of node.stream(callTo('Count')).messages) break;
    expect(running()).toBe(0);
    const controller = new AbortController();
    const { messages } = node.stream(callTo('Count', { signal: controller.signal }));
    await messages[Symbol.asyncIterator]().next();
    expect(running()).toBe(1);
    controller.abort();
    expect(running()).toBe(0);
  });

  it('is 429 for the caller, with a retry', async () => {
    const { node, letGo } = heldNode();
    const app = await testApp(node);
    const held = ['1', '2'].map((height) => app.inject(`/proto/token/params?height=${height}`).then((reply) => reply));
    await expect.poll(async () => (await app.inject('/proto/token/params')).statusCode).toBe(429);
    const reply = await app.inject('/proto/token/params');
    expectError(reply, 429, 8);
    expect(reply.headers['retry-after']).toBe('1');
    letGo();
    expect((await Promise.all(held)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    await app.close();
  });
});

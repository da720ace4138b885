import { callTo } from '@mlango/test-services/channel-contract';
import { describe, expect, it } from 'vitest';
import type { Channel } from '../channel.js';
import { GRPC_CODES } from '../grpc-code.js';
import { NodeFailure } from '../node-failure.js';
import { KnownNode } from './known-node.js';
import { nodePool } from './node-pool.js';

/** A clock that calls advance, each by the latency of its node, and nodes that count their calls. */
function slowAndQuick() {
  const clock = { now: 0 };
  const needs = { a: 10, b: 10, c: 10 };
  const called = { a: 0, b: 0, c: 0 };
  const node = (name: 'a' | 'b' | 'c'): KnownNode => {
    const channel: Channel = {
      async unary(_path, _request, { timeoutMs = 10_000 } = {}) {
        called[name] += 1;
        clock.now += Math.min(needs[name], timeoutMs);
        if (needs[name] > timeoutMs)
          throw new NodeFailure(GRPC_CODES.deadlineExceeded, 'late', { fromTransport: true });
        return { message: new Uint8Array(), headers: [], trailers: [] };
      },
      stream() {
        throw new Error('unexpected call');
      },
      close() {},
    };
    return new KnownNode(channel, { target: name, now: () => clock.now });
  };
  const pool = nodePool([node('a'), node('b'), node('c')], { random: Math.random, now: () => clock.now });
  const query = async (calls: number, timeoutMs?: number): Promise<typeof called> => {
    Object.assign(called, { a: 0, b: 0, c: 0 });
    const options = timeoutMs === undefined ? {} : { timeoutMs };
    for (let count = 0; count < calls; count += 1) await pool.unary(...callTo('Echo', options)).catch(() => undefined);
    return { ...called };
  };
  return { query, needs, clock };
}

describe('of several nodes, one', () => {
  it('that answers as fast as the others gets as many calls', async () => {
    const { a, b, c } = await slowAndQuick().query(600);
    for (const calls of [a, b, c]) expect(calls).toBeGreaterThan(100);
  });

  it('that becomes slow gets few calls, from its first slow answer on, and its share again when it recovers', async () => {
    const { query, needs } = slowAndQuick();
    await query(100);
    needs.a = 400;
    expect((await query(300)).a).toBeLessThan(10);
    needs.a = 10;
    // Seconds of calls: slow answers have decayed.
    await query(4000);
    expect((await query(600)).a).toBeGreaterThan(100);
  });

  it('that exceeds the deadlines of callers counts as slow', async () => {
    const { query, needs } = slowAndQuick();
    await query(100);
    needs.a = 400;
    expect((await query(300, 50)).a).toBeLessThan(25);
  });

  it('does not count as faster because of short deadlines', async () => {
    const { query, needs } = slowAndQuick();
    needs.a = 400;
    await query(30);
    // Each of them would need ten; a failure after five milliseconds gives no other information.
    await query(60, 5);
    expect((await query(100)).a).toBeLessThan(10);
  });
});

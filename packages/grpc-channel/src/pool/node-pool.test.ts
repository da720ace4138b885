import { callTo, channelContract, failureOf } from '@mlango/test-services/channel-contract';
import { describe, expect, it } from 'vitest';
import { poolOf } from '../../test/pool-of.js';
import { http2Channel } from '../calls/http2-channel.js';
import type { CallOptions, Channel } from '../channel.js';
import { GRPC_CODES, type GrpcCode } from '../grpc-code.js';
import { NodeFailure } from '../node-failure.js';

channelContract('a pool of one node', (target) => poolOf([http2Channel({ target, maxReceiveBytes: 100_000 })]));

/** A node that fails with a code, or answers with its own name. */
function fakeNode(name: number, called: number[], code?: GrpcCode): Channel & { calls: CallOptions[] } {
  const calls: CallOptions[] = [];
  return {
    calls,
    async unary(_path, _request, options = {}) {
      called.push(name);
      calls.push(options);
      if (code !== undefined) throw new NodeFailure(code, `node ${name}`);
      return { message: Uint8Array.of(name), headers: [], trailers: [] };
    },
    stream() {
      throw new Error('unexpected call');
    },
    close() {},
  };
}

const { unavailable, internal } = GRPC_CODES;

describe('a pool of several nodes', () => {
  it('uses all nodes, and two alternately', async () => {
    const called: number[] = [];
    const two = poolOf([fakeNode(1, called), fakeNode(2, called)], { now: () => 0 });
    for (let round = 0; round < 6; round += 1) await two.unary(...callTo('Echo'));
    expect([called.filter((name) => name === 1), called.filter((name) => name === 2)]).toEqual([
      [1, 1, 1],
      [2, 2, 2],
    ]);
    const three = poolOf([fakeNode(1, called), fakeNode(2, called), fakeNode(3, called)], {
      random: Math.random,
      now: () => 0,
    });
    called.length = 0;
    // By chance each node gets more than a sixth of this many calls.
    for (let round = 0; round < 600; round += 1) await three.unary(...callTo('Echo'));
    for (const name of [1, 2, 3]) expect(called.filter((other) => other === name).length).toBeGreaterThan(100);
  });

  it('retries once at another node if one is unreachable', async () => {
    const called: number[] = [];
    const pool = poolOf([fakeNode(1, called, unavailable), fakeNode(2, called)], { now: () => 0 });
    expect((await pool.unary(...callTo('Echo'))).message[0]).toBe(2);
    const outage = poolOf([fakeNode(1, called, unavailable), fakeNode(2, called, unavailable), fakeNode(3, called)], {
      now: () => 0,
    });
    called.length = 0;
    expect(await failureOf(outage.unary(...callTo('Echo')))).toMatchObject({ message: 'node 2' });
    expect(called).toEqual([1, 2]);
  });

  it('never retries at the same node, also with concurrent calls', async () => {
    const called: number[] = [];
    const pool = poolOf([fakeNode(1, called, unavailable), fakeNode(2, called)], { now: () => 0 });
    const replies = await Promise.all(Array.from({ length: 8 }, () => pool.unary(...callTo('Echo'))));
    expect(replies.map((reply) => reply.message[0])).toEqual(Array(8).fill(2));
  });

  it('gives the second node the remaining time, and is not called without any', async () => {
    const called: number[] = [];
    let clock = 0;
    const slow = fakeNode(1, called, unavailable);
    const passing: Channel = {
      ...slow,
      unary: (...call) => {
        clock += 30;
        return slow.unary(...call);
      },
    };
    const second = fakeNode(2, called);
    await poolOf([passing, second], { now: () => clock }).unary(...callTo('Echo', { timeoutMs: 100 }));
    expect(second.calls[0]?.timeoutMs).toBe(70);
    expect(
      await failureOf(poolOf([passing, second], { now: () => clock }).unary(...callTo('Echo', { timeoutMs: 20 }))),
    ).toMatchObject({ code: unavailable });
  });

  it('repeats no other failure, and no cancelled call', async () => {
    const called: number[] = [];
    await failureOf(
      poolOf([fakeNode(1, called, internal), fakeNode(2, called)], { now: () => 0 }).unary(...callTo('Echo')),
    );
    const cancelled = callTo('Echo', { signal: AbortSignal.abort() });
    await failureOf(
      poolOf([fakeNode(1, called, unavailable), fakeNode(2, called)], { now: () => 0 }).unary(...cancelled),
    );
    expect(called).toEqual([1, 1]);
  });

  it('sends a call with effects only once', async () => {
    const called: number[] = [];
    const pool = poolOf([fakeNode(1, called, unavailable), fakeNode(2, called)], { now: () => 0 });
    await failureOf(pool.unary(...callTo('Echo', { mustNotRetry: true })));
    expect(called).toEqual([1]);
  });
});

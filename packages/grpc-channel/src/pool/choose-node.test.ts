import { callTo } from '@mlango/test-services/channel-contract';
import { describe, expect, it } from 'vitest';
import { BLOCKS } from '../../test/pool-of.js';
import type { Channel, Reply } from '../channel.js';
import { GRPC_CODES, type GrpcCode } from '../grpc-code.js';
import { NodeFailure } from '../node-failure.js';
import { chooseNode } from './choose-node.js';
import { KnownNode } from './known-node.js';

let clock = 0;

/** A node that answers when the test releases it. */
function knownNode() {
  const waiting: { answer: (block?: string) => void; fail: (code: GrpcCode, fromTransport?: boolean) => void }[] = [];
  const node: Channel = {
    unary: () =>
      new Promise<Reply>((resolve, reject) => {
        waiting.push({
          answer: (block) =>
            resolve({
              message: new Uint8Array(),
              headers: block === undefined ? [] : [['x-block', block]],
              trailers: [],
            }),
          fail: (code, fromTransport = true) => reject(new NodeFailure(code, 'failed', { fromTransport })),
        });
      }),
    stream() {
      throw new Error('unexpected call');
    },
    close() {},
  };
  const known = new KnownNode(node, { target: 'node:1', positions: BLOCKS, now: () => clock });
  return {
    known,
    query: () => {
      const [path, request, options] = callTo('Echo');
      const outcome = known.unary(path, request, options).catch(() => undefined);
      return { ...waiting[waiting.length - 1], outcome };
    },
  };
}

const { unavailable, deadlineExceeded, internal, notFound } = GRPC_CODES;
const chosen = (nodes: readonly KnownNode[], position?: number, maxLag = 3) =>
  new Set(
    Array.from({ length: 60 }, () =>
      nodes.indexOf(chooseNode(nodes, position, { maxLag, random: Math.random }) ?? fail()),
    ),
  );
const fail = () => {
  throw new Error('none was chosen');
};

describe('the choice among nodes', () => {
  it('takes the less busy one of two, and uses all of them', async () => {
    const [a, b, c] = [knownNode(), knownNode(), knownNode()];
    const nodes = [a.known, b.known, c.known];
    expect(chosen(nodes).size).toBeGreaterThan(1);
    a.query();
    a.query();
    b.query();
    // For any two checked nodes, the busiest one is not the less busy.
    expect(chosen(nodes)).not.toContain(0);
    expect(chosen([a.known, b.known])).toEqual(new Set([1]));
  });

  it('skips unreachable nodes, unless all are', () => {
    const [a, b] = [knownNode(), knownNode()];
    a.known.isUnavailable = true;
    expect(chosen([a.known, b.known])).toEqual(new Set([1]));
    b.known.isUnavailable = true;
    expect(chosen([a.known, b.known]).size).toBeGreaterThan(0);
  });

  it('omits lagging nodes, for the newest position only', () => {
    const [a, b, c] = [knownNode(), knownNode(), knownNode()];
    const nodes = [a.known, b.known, c.known];
    a.known.probed(100);
    b.known.probed(97);
    c.known.probed(96);
    expect(chosen(nodes)).not.toContain(2);
    expect(chosen([a.known, c.known])).toEqual(new Set([0]));
    expect(chosen([a.known, c.known], undefined, 4)).toEqual(new Set([0, 1]));
    expect(chosen([a.known, c.known], 50)).toEqual(new Set([0, 1]));
  });

  it('sends a position to a node that has it', async () => {
    const [a, b] = [knownNode(), knownNode()];
    b.known.probed(99);
    const { answer, outcome } = a.query();
    answer?.('101');
    await outcome;
    expect(chosen([a.known, b.known], 101)).toEqual(new Set([0]));
    expect(chosen([a.known, b.known], 102).size).toBeGreaterThan(0);
  });
});

describe('a node', () => {
  it('with a broken connection is paused until a probe succeeds, longer each time', async () => {
    clock = 0;
    const { known, query } = knownNode();
    for (const restMs of [1000, 2000, 4000]) {
      const { fail: break_, outcome } = query();
      break_?.(unavailable);
      await outcome;
      expect(known.isLive).toBe(false);
      clock += restMs - 1;
      known.probed(undefined);
      expect(known.isLive).toBe(false);
      clock += 1;
      expect(known.isLive).toBe(false);
      known.probed(undefined);
      expect(known.isLive).toBe(true);
    }
    const { answer, outcome } = query();
    answer?.();
    await outcome;
    const second = query();
    second.fail?.(unavailable);
    await second.outcome;
    clock += 1000;
    known.probed(undefined);
    expect(known.isLive).toBe(true);
  });

  it('with three failures in a row is paused, not counting its own error replies', async () => {
    const { known, query } = knownNode();
    for (const [code, fromTransport] of [
      [internal, true],
      [internal, true],
      [notFound, false],
      [internal, true],
      [internal, true],
    ] as const) {
      const { fail: end, outcome } = query();
      end?.(code, fromTransport);
      await outcome;
    }
    expect(known.isLive).toBe(true);
    const { fail: end, outcome } = query();
    end?.(internal);
    await outcome;
    expect(known.isLive).toBe(false);
  });

  it('is not penalised for callers with short deadlines, nor for one slow call among others', async () => {
    clock = 0;
    const { known, query } = knownNode();
    for (let count = 0; count < 10; count += 1) {
      const { fail: end, outcome } = query();
      clock += 5;
      end?.(deadlineExceeded);
      await outcome;
    }
    const slow = query();
    clock += 4000;
    const quick = query();
    quick.answer?.();
    await quick.outcome;
    slow.fail?.(deadlineExceeded);
    await slow.outcome;
    expect(known.isLive).toBe(true);
  });

  it('that is silent with pending calls is skipped meanwhile, and fails with the first pending call', async () => {
    clock = 0;
    const { known, query } = knownNode();
    const { fail: end, outcome } = query();
    expect(known.isLive).toBe(true);
    clock += 1001;
    expect(known.state).toBe('silent');
    end?.(deadlineExceeded);
    await outcome;
    expect(known.state).toBe('failing');
  });
});

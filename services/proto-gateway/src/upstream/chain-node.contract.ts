import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RawNode, startRawNode } from '../../test/raw-node.js';
import type { ChainNode, NodeCall } from './chain-node.js';
import { NodeFailure } from './chain-node.js';

/** A call with every setting at a default that does no harm. */
export function callTo(method: string, more: Partial<NodeCall> = {}): NodeCall {
  const signal = new AbortController().signal;
  return {
    path: `/test.Raw/${method}`,
    request: Uint8Array.of(1, 2, 3),
    metadata: [],
    timeoutMs: 10_000,
    signal,
    ...more,
  };
}

export async function failureOf(promise: Promise<unknown>): Promise<NodeFailure> {
  const outcome = await promise.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
  if (!(outcome instanceof NodeFailure)) throw new Error(`expected a NodeFailure, got ${String(outcome)}`);
  return outcome;
}

async function collect(messages: AsyncIterable<Uint8Array>, into: number[] = []): Promise<number[]> {
  for await (const message of messages) into.push(...message);
  return into;
}

const patient = { timeout: 10_000, interval: 20 };

/** What every `ChainNode` holds to. `open` connects to a target with a receive limit of 100,000 bytes. */
export function chainNodeContract(name: string, open: (target: string) => ChainNode): void {
  describe(name, () => {
    let server: RawNode;
    let node: ChainNode;
    beforeEach(async () => {
      server = await startRawNode();
      node = open(server.address);
    });
    afterEach(async () => {
      node.close();
      await server.close();
    });

    it('passes bytes and metadata both ways, untouched', async () => {
      const metadata: NodeCall['metadata'] = [
        ['a', '1'],
        ['a', '2'],
        ['b-bin', Uint8Array.of(0, 255)],
      ];
      const reply = await node.call(callTo('Echo', { metadata }));
      expect([...reply.message]).toEqual([1, 2, 3]);
      const got = (name: string) => reply.headers.filter(([key]) => key === name).map(([, value]) => value);
      // HTTP/2 may join repeated values, with the same meaning.
      expect(got('got-a').join(', ')).toBe('1, 2');
      expect(got('got-b-bin')).toEqual([Buffer.from([0, 255])]);
      expect(reply.trailers).toContainEqual(['after', 'all']);
    });

    it('carries many calls at once without mixing them up', async () => {
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, index) => node.call(callTo('Echo', { request: Uint8Array.of(index) }))),
      );
      expect(replies.map((reply) => reply.message[0])).toEqual(Array.from({ length: 50 }, (_, index) => index));
    });

    it('fails as the node says, with its text and metadata', async () => {
      const failure = await failureOf(node.call(callTo('Fail')));
      expect(failure).toMatchObject({ code: GRPC_CODES.failedPrecondition, message: 'not now', fromTransport: false });
      expect(failure.metadata).toContainEqual(['x-cosmos-block-height', '12']);
    });

    it('fails with unimplemented for a method the node does not have', async () => {
      expect(await failureOf(node.call(callTo('Nope')))).toMatchObject({ code: GRPC_CODES.unimplemented });
    });

    it('ends a call at its deadline', async () => {
      expect(await failureOf(node.call(callTo('Hang', { timeoutMs: 40 })))).toMatchObject({
        code: GRPC_CODES.deadlineExceeded,
      });
    });

    it('cancels at the node a call nobody waits for', async () => {
      const controller = new AbortController();
      const call = failureOf(node.call(callTo('Hang', { signal: controller.signal })));
      await vi.waitFor(() => expect(server.calls).toHaveLength(1), patient);
      controller.abort();
      expect(await call).toMatchObject({ code: GRPC_CODES.cancelled });
      await vi.waitFor(() => expect(server.cancelled()).toBe(1), patient);
    });

    it('does not make a call that was cancelled before', async () => {
      expect(await failureOf(node.call(callTo('Echo', { signal: AbortSignal.abort() })))).toMatchObject({
        code: GRPC_CODES.cancelled,
      });
      expect(server.calls).toEqual([]);
    });

    it('refuses a reply beyond the limit and says so', async () => {
      expect(await failureOf(node.call(callTo('Big')))).toMatchObject({ tooLarge: true });
    });

    it('fails at once when the node is away, and recovers by itself', async () => {
      await node.call(callTo('Echo'));
      await server.close();
      const failure = await vi.waitFor(async () => {
        const found = await failureOf(node.call(callTo('Echo', { timeoutMs: 5000 })));
        expect(found.code).toBe(GRPC_CODES.unavailable);
        return found;
      }, patient);
      expect(failure.code).toBe(GRPC_CODES.unavailable);
      server = await startRawNode(server.port);
      await vi.waitFor(async () => expect((await node.call(callTo('Echo'))).message).toHaveLength(3), patient);
    });

    it('gives the messages of a stream in order, after its headers', async () => {
      const stream = node.stream(callTo('Count'));
      expect(await stream.headers).toContainEqual(['x-cosmos-block-height', '7']);
      expect(await collect(stream.messages)).toEqual([1, 2, 3]);
    });

    it('gives the trailers of a stream where it ends', async () => {
      const messages = node.stream(callTo('Count')).messages[Symbol.asyncIterator]();
      let next = await messages.next();
      while (next.done !== true) next = await messages.next();
      expect(next.value).toContainEqual(['after', 'all']);
    });

    it('ends an empty stream', async () => {
      expect(await collect(node.stream(callTo('Count', { request: new Uint8Array() })).messages)).toEqual([]);
    });

    it('fails where a stream breaks, after what came before', async () => {
      const seen: number[] = [];
      const failure = await failureOf(collect(node.stream(callTo('Break')).messages, seen));
      expect(failure).toMatchObject({ code: GRPC_CODES.dataLoss, message: 'lost' });
      expect(seen).toEqual([1]);
    });

    it('fails before the first message when the node refuses', async () => {
      expect(await failureOf(collect(node.stream(callTo('Refuse')).messages))).toMatchObject({
        code: GRPC_CODES.outOfRange,
      });
    });

    it('cancels a stream whose reader leaves', async () => {
      for await (const message of node.stream(callTo('Endless')).messages) {
        expect(message).toHaveLength(1);
        break;
      }
      await vi.waitFor(() => expect(server.cancelled()).toBe(1), patient);
    });

    it('ends a stream at its deadline', async () => {
      const failure = await failureOf(collect(node.stream(callTo('Endless', { timeoutMs: 60 })).messages));
      expect(failure.code).toBe(GRPC_CODES.deadlineExceeded);
    });
  });
}

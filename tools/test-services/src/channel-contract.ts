import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RawNode, startRawNode } from './raw-node.js';

/** gRPC metadata as pairs in order. */
type Metadata = readonly (readonly [name: string, value: string | Uint8Array])[];

interface Options {
  readonly metadata?: Metadata;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly mustNotRetry?: boolean;
  readonly at?: bigint | undefined;
  readonly atLeast?: number;
}

type Call = readonly [path: string, request: Uint8Array, options: Options];

/** The shape of `Channel` in `@mlango/grpc-channel`, which depends on this package in its tests. */
interface ChannelUnderTest {
  unary(...call: Call): Promise<{
    readonly message: Uint8Array;
    readonly headers: Metadata;
    readonly trailers: Metadata;
  }>;
  stream(...call: Call): {
    readonly headers: Promise<Metadata>;
    readonly messages: AsyncIterable<Uint8Array, Metadata>;
  };
  close(): void;
}

/** Codes of gRPC that calls end with here. */
const CODE = {
  cancelled: 1,
  deadlineExceeded: 4,
  failedPrecondition: 9,
  outOfRange: 11,
  unimplemented: 12,
  unavailable: 14,
  dataLoss: 15,
};

/** A call to a raw node, with every setting at a default that does no harm. */
export function callTo(method: string, options: Options = {}, request = Uint8Array.of(1, 2, 3)): Call {
  return [`/test.Raw/${method}`, request, options];
}

/** How a call failed that had to; anything but a `NodeFailure` is thrown. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { code: number; metadata: Metadata }> {
  const outcome: unknown = await promise.then(
    () => new Error('it succeeded'),
    (error: unknown) => error,
  );
  if (isNodeFailure(outcome)) return outcome;
  throw new Error(`expected a NodeFailure, got ${String(outcome)}`);
}

function isNodeFailure(error: unknown): error is Error & { code: number; metadata: Metadata } {
  return error instanceof Error && error.name === 'NodeFailure' && 'code' in error && 'metadata' in error;
}

async function collect(messages: AsyncIterable<Uint8Array>, into: number[] = []): Promise<number[]> {
  for await (const message of messages) into.push(...message);
  return into;
}

const patient = { timeout: 10_000, interval: 20 };

/** The contract of every channel to a node. `open` connects to a target with a receive limit of 100,000 bytes. */
export function channelContract(name: string, open: (target: string) => ChannelUnderTest): void {
  describe(name, () => {
    let server: RawNode;
    let node: ChannelUnderTest;
    beforeEach(async () => {
      server = await startRawNode();
      node = open(server.address);
    });
    afterEach(async () => {
      node.close();
      await server.close();
    });

    it('passes bytes and metadata both ways, untouched', async () => {
      const metadata: Metadata = [
        ['a', '1'],
        ['a', '2'],
        ['b-bin', Uint8Array.of(0, 255)],
      ];
      const reply = await node.unary(...callTo('Echo', { metadata }));
      expect([...reply.message]).toEqual([1, 2, 3]);
      const got = (name: string) => reply.headers.filter(([key]) => key === name).map(([, value]) => value);
      // HTTP/2 may join repeated values, with the same meaning.
      expect(got('got-a').join(', ')).toBe('1, 2');
      expect(got('got-b-bin')).toEqual([Buffer.from([0, 255])]);
      expect(reply.trailers).toContainEqual(['after', 'all']);
    });

    it('carries many calls at once without mixing them up', async () => {
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, index) => node.unary(...callTo('Echo', {}, Uint8Array.of(index)))),
      );
      expect(replies.map((reply) => reply.message[0])).toEqual(Array.from({ length: 50 }, (_, index) => index));
    });

    it('fails with the status, text and metadata of the node', async () => {
      const failure = await failureOf(node.unary(...callTo('Fail')));
      expect(failure).toMatchObject({ code: CODE.failedPrecondition, message: 'not now', fromTransport: false });
      expect(failure.metadata).toContainEqual(['x-cosmos-block-height', '12']);
    });

    it('fails with unimplemented for a method the node does not have', async () => {
      expect(await failureOf(node.unary(...callTo('Nope')))).toMatchObject({ code: CODE.unimplemented });
    });

    it('ends a call at its deadline', async () => {
      expect(await failureOf(node.unary(...callTo('Hang', { timeoutMs: 40 })))).toMatchObject({
        code: CODE.deadlineExceeded,
      });
    });

    it('cancels an abandoned call at the node', async () => {
      const controller = new AbortController();
      const call = failureOf(node.unary(...callTo('Hang', { signal: controller.signal })));
      await vi.waitFor(() => expect(server.calls).toHaveLength(1), patient);
      controller.abort();
      expect(await call).toMatchObject({ code: CODE.cancelled });
      await vi.waitFor(() => expect(server.cancelled()).toBe(1), patient);
    });

    it('does not send a call that was cancelled before', async () => {
      expect(await failureOf(node.unary(...callTo('Echo', { signal: AbortSignal.abort() })))).toMatchObject({
        code: CODE.cancelled,
      });
      expect(server.calls).toEqual([]);
    });

    it('refuses a reply beyond the limit and names the limit', async () => {
      expect(await failureOf(node.unary(...callTo('Big')))).toMatchObject({ tooLarge: true });
    });

    it('fails at once when the node is unavailable, and recovers by itself', async () => {
      await node.unary(...callTo('Echo'));
      await server.close();
      const failure = await vi.waitFor(async () => {
        const found = await failureOf(node.unary(...callTo('Echo', { timeoutMs: 5000 })));
        expect(found.code).toBe(CODE.unavailable);
        return found;
      }, patient);
      expect(failure.code).toBe(CODE.unavailable);
      server = await startRawNode(server.port);
      await vi.waitFor(async () => expect((await node.unary(...callTo('Echo'))).message).toHaveLength(3), patient);
    });

    it('returns the messages of a stream in order, after its headers', async () => {
      const stream = node.stream(...callTo('Count'));
      expect(await stream.headers).toContainEqual(['x-cosmos-block-height', '7']);
      expect(await collect(stream.messages)).toEqual([1, 2, 3]);
    });

    it('returns the trailers of a stream at its end', async () => {
      const messages = node.stream(...callTo('Count')).messages[Symbol.asyncIterator]();
      let next = await messages.next();
      while (next.done !== true) next = await messages.next();
      expect(next.value).toContainEqual(['after', 'all']);
    });

    it('ends an empty stream', async () => {
      expect(await collect(node.stream(...callTo('Count', {}, new Uint8Array())).messages)).toEqual([]);
    });

    it('fails where a stream breaks, after the messages before', async () => {
      const seen: number[] = [];
      const failure = await failureOf(collect(node.stream(...callTo('Break')).messages, seen));
      expect(failure).toMatchObject({ code: CODE.dataLoss, message: 'lost' });
      expect(seen).toEqual([1]);
    });

    it('fails before the first message when the node refuses', async () => {
      expect(await failureOf(collect(node.stream(...callTo('Refuse')).messages))).toMatchObject({
        code: CODE.outOfRange,
      });
    });

    it('cancels a stream when its reader leaves', async () => {
      for await (const message of node.stream(...callTo('Endless')).messages) {
        expect(message).toHaveLength(1);
        break;
      }
      await vi.waitFor(() => expect(server.cancelled()).toBe(1), patient);
    });

    it('ends a stream at its deadline', async () => {
      const failure = await failureOf(collect(node.stream(...callTo('Endless', { timeoutMs: 60 })).messages));
      expect(failure.code).toBe(CODE.deadlineExceeded);
    });
  });
}

import { NodeFailure } from '@mlango/grpc-channel';
import { channelContract } from '@mlango/test-services/channel-contract';
import type { ChainNode, NodeCall } from './chain-node.js';

/** A call with default settings. */
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

/** The contract of every `ChainNode`. `open` connects to a target with a receive limit of 100,000 bytes. */
export function chainNodeContract(name: string, open: (target: string) => ChainNode): void {
  channelContract(name, (target) => {
    const node = open(target);
    const whole = (path: string, request: Uint8Array, options: Partial<NodeCall>): NodeCall => ({
      path,
      request,
      metadata: [],
      timeoutMs: 10_000,
      signal: new AbortController().signal,
      ...options,
    });
    return {
      unary: (...call) => node.call(whole(...call)),
      stream: (...call) => node.stream(whole(...call)),
      close: () => node.close(),
    };
  });
}

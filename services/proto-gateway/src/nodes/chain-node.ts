import type { CancelSignal, Metadata, Reply, ReplyStream } from '@mlango/grpc-channel';

export interface NodeCall {
  /** `/ixo.claims.v1beta1.Query/ClaimList` */
  readonly path: string;
  /** The request message in protobuf. */
  readonly request: Uint8Array;
  readonly metadata: Metadata;
  /** Time for the whole call, retries included. */
  readonly timeoutMs: number;
  /** The block the caller has seen: no older one is answered from. Only where the call asks for the latest one. */
  readonly atLeast?: number | undefined;
  /** The call may change something, so it must not be made twice. */
  readonly isOnce?: boolean | undefined;
  /** The `addressKey` of the caller, whose share of calls it takes; absent for a call of the gateway itself. */
  readonly address?: string | undefined;
  /** Aborted when nobody waits for the reply any more. */
  readonly signal: CancelSignal;
}

/** A chain node, or several behind one name. It holds to what a `Channel` does. */
export interface ChainNode {
  call(call: NodeCall): Promise<Reply>;
  stream(call: NodeCall): ReplyStream;
  /** Ends connections; calls under way fail. */
  close(): void;
}

import type { GrpcCode } from '@mlango/transcoder/grpc-status';
import type { Metadata } from '@mlango/transcoder/metadata';
import type { CancelSignal } from './cancellation.js';

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
  readonly isOnce?: boolean;
  /** Aborted when nobody waits for the reply any more. */
  readonly signal: CancelSignal;
}

export interface NodeReply {
  readonly message: Uint8Array;
  readonly headers: Metadata;
  readonly trailers: Metadata;
}

export interface NodeStream {
  /** Settles before the first message. Rejects with a `NodeFailure` when the call fails before any message. */
  readonly headers: Promise<Metadata>;
  /** Throws a `NodeFailure` where the stream breaks, and returns the trailers where it ends. Leaving the loop cancels the call. */
  readonly messages: AsyncIterable<Uint8Array, Metadata>;
}

/** A call that did not succeed: the node said so, or the node could not be asked. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';
  readonly code: GrpcCode;
  readonly metadata: Metadata;
  /** The connection failed, rather than the node answering so. */
  readonly fromTransport: boolean;
  readonly tooLarge: boolean;

  constructor(
    code: GrpcCode,
    message: string,
    options: { metadata?: Metadata; fromTransport?: boolean; tooLarge?: boolean } = {},
  ) {
    super(message);
    this.code = code;
    this.metadata = options.metadata ?? [];
    this.fromTransport = options.fromTransport ?? false;
    this.tooLarge = options.tooLarge ?? false;
  }
}

/**
 * A chain node, or several behind one name.
 *
 * - Every call ends: with a reply, or with a `NodeFailure`, at the latest when its time is over (code 4).
 * - An aborted call ends with code 1 and is cancelled at the node.
 * - Replies beyond the receive limit fail with `tooLarge` and are not kept.
 * - A node that cannot be reached fails with code 14: at once when that is known, else within a short time for a
 *   connection to come about. It is tried again meanwhile, and calls succeed once it is back.
 */
export interface ChainNode {
  call(call: NodeCall): Promise<NodeReply>;
  stream(call: NodeCall): NodeStream;
  /** Ends connections; calls under way fail. */
  close(): void;
}

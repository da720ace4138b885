import type { Outage } from './connect-problem.js';
import type { GrpcCode } from './grpc-code.js';
import type { Metadata } from './metadata.js';

/** A failed call: by the node's status, or by the transport. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';
  readonly code: GrpcCode;
  readonly metadata: Metadata;
  /** The connection failed, rather than the node answering so. */
  readonly fromTransport: boolean;
  /** A message or the headers of the reply are larger than is taken. */
  readonly tooLarge: boolean;
  /** The node's outage, if the failure shows one. */
  readonly outage: Outage | undefined;

  constructor(
    code: GrpcCode,
    message: string,
    options: { metadata?: Metadata; fromTransport?: boolean; tooLarge?: boolean; outage?: Outage } = {},
  ) {
    super(message);
    this.code = code;
    this.metadata = options.metadata ?? [];
    this.fromTransport = options.fromTransport ?? false;
    this.outage = options.outage;
    this.tooLarge = options.tooLarge ?? false;
  }
}

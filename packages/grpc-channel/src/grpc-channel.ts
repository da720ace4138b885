// The public interface of the package.

export { http2Channel } from './calls/http2-channel.js';
export type { CallOptions, CancelSignal, Channel, Reply, ReplyStream } from './channel.js';
export { failedStream } from './channel.js';
export type { ConnectProblem, Outage } from './connect-problem.js';
export { type ChannelOptions, createChannel, type NodesChannel, type Target } from './create-channel.js';
export { GRPC_CODES, type GrpcCode } from './grpc-code.js';
export type { Metadata } from './metadata.js';
export { NodeFailure } from './node-failure.js';
export type { ByteAllowance, NodeOptions, NodeTls } from './node-options.js';
export type { NodeCondition, NodeReport, ProbeResult } from './pool/node-report.js';
export { covers, type PositionRange, type Positions, printRange } from './pool/positions.js';
export type { Probe } from './pool/probe.js';
export { BusyError, RetryLaterError } from './retry-later-error.js';

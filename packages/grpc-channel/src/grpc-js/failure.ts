import type { ServiceError } from '@grpc/grpc-js';
import { httpProblem } from '../connect-problem.js';
import { GRPC_CODES, toGrpcCode } from '../grpc-code.js';
import type { Metadata } from '../metadata.js';
import { NodeFailure } from '../node-failure.js';
import { fromGrpcMetadata } from './metadata.js';

/** Texts of grpc-js for transport failures; a node's errors have other texts. */
const TRANSPORT_TEXTS = new RegExp(
  `^(?:${[
    'Received RST_STREAM',
    'Received HTTP status',
    'No connection established',
    'No message received',
    'No status information received',
    'Too many responses received',
    'Connection dropped',
    'Channel closed',
    'Failed to (?:start HTTP/2|decompress|decode)',
    'Response message parsing error',
    'Error parsing response',
    'Name resolution failed',
    'Write (?:error|failed)',
    'Stream refused by server',
    'Bandwidth exhausted or memory limit exceeded',
  ].join('|')})`,
  'i',
);
const RESET_TEXT = 'Call cancelled';
const HTTP_STATUS_TEXT = /^Received HTTP status code (\d+)/;
/** The second text is for headers beyond the limits of node:http2. */
const TOO_LARGE_TEXT =
  /^(?:Received message (?:that decompresses to a size )?larger than|Bandwidth exhausted or memory limit exceeded)/i;

/** The failure of a call without a connection. */
export function unavailableFailure(): NodeFailure {
  return new NodeFailure(GRPC_CODES.unavailable, 'no connection to the node', { fromTransport: true });
}

/** Whether it is a failure of grpc-js itself. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error && 'metadata' in error;
}

/** A failure of grpc-js, classified as from the node or from the transport. */
export function toFailure(error: ServiceError, headers: Metadata): NodeFailure {
  const code = toGrpcCode(error.code);
  const fromTransport = TRANSPORT_TEXTS.test(error.details);
  // grpc-js reports a broken exchange as unimplemented; only a node can report an unknown method.
  const isBroken = fromTransport && code === GRPC_CODES.unimplemented;
  // The caller did not cancel, which has another text: the node gave the call up.
  const isReset = code === GRPC_CODES.cancelled && error.details === RESET_TEXT;
  const [, status] = HTTP_STATUS_TEXT.exec(error.details) ?? [];
  const isRefused = status === '401' || status === '403';
  const isUnavailable = isReset || isRefused;
  return new NodeFailure(
    isUnavailable ? GRPC_CODES.unavailable : isBroken ? GRPC_CODES.internal : code,
    error.details,
    {
      metadata: [...headers, ...fromGrpcMetadata(error.metadata)],
      fromTransport,
      ...(status === undefined ? {} : { outage: httpProblem(status) }),
      tooLarge: code === GRPC_CODES.resourceExhausted && TOO_LARGE_TEXT.test(error.details),
    },
  );
}

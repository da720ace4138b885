import type { ProtocolRequest } from '../protocol.js';

/** Whether a request is gRPC-Web. */
export function isGrpcWeb({ method, headers }: ProtocolRequest): boolean {
  return method === 'POST' && headers['content-type']?.toLowerCase().startsWith('application/grpc-web') === true;
}

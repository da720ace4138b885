import type { IncomingMessage } from 'node:http';

type ProtocolRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** Whether a request is gRPC-Web. */
export function isGrpcWeb({ method, headers }: ProtocolRequest): boolean {
  return method === 'POST' && headers['content-type']?.toLowerCase().startsWith('application/grpc-web') === true;
}

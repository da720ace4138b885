import type { Metadata as GrpcMetadata } from '@grpc/grpc-js';
import { PROTOCOL_NAMES } from '../calls/grpc-headers.js';
import type { Metadata } from '../metadata.js';

/** Copies our metadata to that of grpc-js. */
export function toGrpcMetadata(result: GrpcMetadata, metadata: Metadata): GrpcMetadata {
  for (const [name, value] of metadata) result.add(name, typeof value === 'string' ? value : Buffer.from(value));
  return result;
}

/** grpc-js's metadata as ours, in its order, without headers of the protocol. */
export function fromGrpcMetadata(metadata: GrpcMetadata | undefined): Metadata {
  if (metadata === undefined) return [];
  const names = Object.keys(metadata.getMap()).filter((name) => !PROTOCOL_NAMES.has(name));
  return names.flatMap((name) => metadata.get(name).map((value): [string, string | Uint8Array] => [name, value]));
}

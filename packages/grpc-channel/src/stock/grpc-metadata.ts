import type { Metadata as GrpcMetadata } from '@grpc/grpc-js';
import type { Metadata } from '../metadata.js';

/** Puts our metadata into those of grpc-js. */
export function toGrpcMetadata(result: GrpcMetadata, metadata: Metadata): GrpcMetadata {
  for (const [name, value] of metadata) result.add(name, typeof value === 'string' ? value : Buffer.from(value));
  return result;
}

/** grpc-js's metadata as ours, in its order. */
export function fromGrpcMetadata(metadata: GrpcMetadata | undefined): Metadata {
  if (metadata === undefined) return [];
  return Object.keys(metadata.getMap()).flatMap((name) =>
    metadata.get(name).map((value): [string, string | Uint8Array] => [name, value]),
  );
}

import type { Registry } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import type { JsonWriters } from '../json/writer.js';
import type { StatusDetail } from './grpc-status.js';

const DETAILS_FIELD = 3;

/** The trailer that carries a google.rpc.Status. */
export const STATUS_DETAILS_HEADER = 'grpc-status-details-bin';

/**
 * The encoded `details` of a google.rpc.Status as JSON objects. Unreadable details are omitted, so that the error itself is
 * still reported.
 */
export function readStatusDetails(bytes: Uint8Array, writers: JsonWriters, registry: Registry): StatusDetail[] {
  const details: StatusDetail[] = [];
  const writeAny = writers(registry.getMessage(AnySchema.typeName) ?? AnySchema);
  for (const packed of packedDetails(bytes)) {
    const detail = tryTo(() => JSON.parse(writeAny(packed)));
    // The details before it are still valid.
    if (detail === undefined) break;
    if (isDetail(detail)) details.push(detail);
  }
  return details;
}

/** The `details` of a google.rpc.Status in bytes, each a google.protobuf.Any, up to where the bytes are no such message. */
export function packedDetails(status: Uint8Array): Uint8Array[] {
  const details: Uint8Array[] = [];
  tryTo(() => {
    const reader = new BinaryReader(status);
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (field === DETAILS_FIELD) details.push(reader.bytes());
      else reader.skip(wireType, field);
    }
  });
  return details;
}

function tryTo(run: () => unknown): unknown {
  try {
    return run();
  } catch {
    return undefined;
  }
}

function isDetail(value: unknown): value is StatusDetail {
  return typeof value === 'object' && value !== null && '@type' in value && typeof value['@type'] === 'string';
}

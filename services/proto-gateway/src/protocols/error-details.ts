import { fromBinary, fromJsonString, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { errorDetails } from '@mlango/cosmos-rest/error-details';
import type { RpcStatus, StatusDetail } from '@mlango/transcoder/grpc-status';
import { packedDetails } from '@mlango/transcoder/status-details';

/** A detail in bytes, like in google.protobuf.Any. */
export interface EncodedDetail {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

/** The encoded details of a node's google.rpc.Status; none for invalid bytes. */
export function readStatusDetails(status: Uint8Array): StatusDetail[] {
  try {
    return packedDetails(status).map((bytes) => {
      const { typeUrl, value } = fromBinary(AnySchema, bytes);
      return { '@type': typeUrl, value };
    });
  } catch {
    return [];
  }
}

/** Encodes the gateway's own details; those of the node are encoded already. */
export function encodeDetails({ details }: RpcStatus): EncodedDetail[] {
  return details.flatMap((detail) => {
    const value = detail['value'] instanceof Uint8Array ? detail['value'] : encodeOwn(detail);
    return value === undefined ? [] : [{ typeUrl: detail['@type'], value }];
  });
}

function encodeOwn({ '@type': typeUrl, ...fields }: StatusDetail): Uint8Array | undefined {
  const desc = errorDetails.getMessage(typeOfDetail(typeUrl));
  return desc && toBinary(desc, fromJsonString(desc, JSON.stringify(fields), { ignoreUnknownFields: true }));
}

/** `type.googleapis.com/google.rpc.ErrorInfo` without its host. */
export function typeOfDetail(typeUrl: string): string {
  return typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
}

/** A google.rpc.Status in bytes. Source: google/rpc/status.proto. */
export function encodeStatus(status: RpcStatus): Uint8Array {
  const writer = new BinaryWriter();
  if (status.code !== 0) writer.tag(1, WireType.Varint).int32(status.code);
  if (status.message !== '') writer.tag(2, WireType.LengthDelimited).string(status.message);
  for (const { typeUrl, value } of encodeDetails(status)) {
    writer.tag(3, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).string(typeUrl);
    writer.tag(2, WireType.LengthDelimited).bytes(value).join();
  }
  return writer.finish();
}

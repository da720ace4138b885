import type { MethodDefinition } from '@grpc/grpc-js';

const unchanged = (bytes: Buffer): Buffer => bytes;

/**
 * A method of `@grpc/grpc-js` with messages as bytes.
 *
 * @param path such as `/test.Chaos/Echo`
 * @param kind the streaming kind; default: unary
 */
export function byteMethod(
  path: string,
  kind: { readonly requestStream?: boolean; readonly responseStream?: boolean } = {},
): MethodDefinition<Buffer, Buffer> {
  return {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: unchanged,
    requestDeserialize: unchanged,
    responseSerialize: unchanged,
    responseDeserialize: unchanged,
    ...kind,
  };
}

import { promisify } from 'node:util';
import { type BrotliOptions, brotliDecompress, gunzip, type ZlibOptions } from 'node:zlib';
import { ServiceError } from '@mlango/service-kit/errors';

type Unpacker = (bytes: Uint8Array, options: ZlibOptions & BrotliOptions) => Promise<Buffer>;

const UNPACKERS: ReadonlyMap<string, Unpacker> = new Map([
  ['gzip', promisify<Uint8Array, ZlibOptions, Buffer>(gunzip)],
  ['br', promisify<Uint8Array, BrotliOptions, Buffer>(brotliDecompress)],
]);

/** What requests may be packed with, as a header lists it. */
export const PACKINGS: readonly string[] = [...UNPACKERS.keys()];

/**
 * The bytes of a message without its packing.
 *
 * @throws {ServiceError} `unimplemented` for a packing that is not known, `invalid_argument` for bytes that are not packed so,
 * `payload_too_large` beyond the limit
 */
export async function unpack(packing: string | undefined, bytes: Uint8Array, limitBytes: number): Promise<Uint8Array> {
  if (packing === undefined || packing === '' || packing === 'identity' || bytes.length === 0) return bytes;
  const unpacker = UNPACKERS.get(packing);
  if (unpacker === undefined) {
    const names = PACKINGS.join(', ');
    throw new ServiceError('unimplemented', `Messages are taken plain, or packed with ${names}`, {
      headers: { 'accept-encoding': names, 'grpc-accept-encoding': names, 'connect-accept-encoding': names },
    });
  }
  try {
    return await unpacker(bytes, { maxOutputLength: limitBytes });
  } catch (cause) {
    throw cause instanceof RangeError
      ? new ServiceError('payload_too_large', `The message is larger than ${limitBytes} bytes once it is unpacked`)
      : new ServiceError('invalid_argument', `The message is not packed with ${packing}`, { cause });
  }
}

import { promisify } from 'node:util';
import { type BrotliOptions, brotliDecompress, gunzip, type ZlibOptions } from 'node:zlib';
import { ServiceError } from '@mlango/service-kit/errors';
import type { Codec } from '@mlango/transcoder/bind-message';

type Decoder = (bytes: Uint8Array, options: ZlibOptions & BrotliOptions) => Promise<Buffer>;

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', promisify<Uint8Array, ZlibOptions, Buffer>(gunzip)],
  ['br', promisify<Uint8Array, BrotliOptions, Buffer>(brotliDecompress)],
]);

/** Accepted encodings of requests, by their names in headers. */
export const ENCODINGS: readonly string[] = [...DECODERS.keys()];

/**
 * Decompresses a message.
 *
 * @throws {ServiceError} `unimplemented` for an unknown encoding, `invalid_argument` for bytes in another encoding,
 * `payload_too_large` beyond the limit
 */
export async function decompress(
  encoding: string | undefined,
  bytes: Uint8Array,
  limitBytes: number,
): Promise<Uint8Array> {
  if (encoding === undefined || encoding === '' || encoding === 'identity' || bytes.length === 0) return bytes;
  const unpacker = DECODERS.get(encoding);
  if (unpacker === undefined) {
    const names = ENCODINGS.join(', ');
    throw new ServiceError('unimplemented', `Messages are accepted uncompressed, or compressed with ${names}`, {
      headers: { 'accept-encoding': names, 'grpc-accept-encoding': names, 'connect-accept-encoding': names },
    });
  }
  try {
    return await unpacker(bytes, { maxOutputLength: limitBytes });
  } catch (cause) {
    throw cause instanceof RangeError
      ? new ServiceError('payload_too_large', `The message is larger than ${limitBytes} bytes after decompression`)
      : new ServiceError('invalid_argument', `The message is not compressed with ${encoding}`, { cause });
  }
}

/**
 * The codec that a media type names.
 *
 * @param types the accepted types, lower case
 * @throws {ServiceError} `unsupported_media_type` for another one
 */
export function codecOfType(type: string | undefined, types: Readonly<Record<string, Codec>>): Codec {
  const [name = '', ...parameters] = (type ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isUtf8 = parameters.every((parameter) => !/^charset=(?!"?utf-8"?$)/.test(parameter));
  const codec = isUtf8 && Object.hasOwn(types, name) ? types[name] : undefined;
  if (codec !== undefined) return codec;
  const accepted = Object.keys(types).join(', ');
  throw new ServiceError('unsupported_media_type', `Calls of this kind are ${accepted}`, {
    headers: { 'accept-post': accepted },
  });
}

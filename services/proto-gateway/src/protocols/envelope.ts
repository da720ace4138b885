import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ServiceError } from '@mlango/service-kit/errors';
import type { Codec } from '@mlango/transcoder/bind-message';
import { GRPC_CODES, type GrpcCode, type RpcStatus } from '@mlango/transcoder/grpc-status';
import type { Metadata } from '@mlango/transcoder/metadata';
import type { Answer } from '../answers/answer.js';
import { codecOfType, decompress } from './message-encoding.js';
import { metadataAsHeaders } from './metadata.js';
import type { ProtocolRequest, RpcProtocol } from './protocol.js';

/** A protocol with enveloped messages, the last of which ends the call. */
export interface EnvelopeFormat {
  /** Media types and their codecs. */
  readonly types: Readonly<Record<string, Codec>>;
  /** The media type of answers to an unknown type. */
  readonly defaultType: string;
  readonly supports: RpcProtocol['supports'];
  readonly readTimeout: () => number | undefined;
  /** The header with the encoding of messages, in requests and replies. */
  readonly encodingHeader: string;
  /** The header with the encodings that the client accepts. */
  readonly acceptHeader: string;
  readonly decodeBody: (body: Uint8Array) => Uint8Array;
  /** Encodes bytes for the body of a reply. */
  readonly encodeBody: (bytes: Buffer) => Buffer;
  /** The envelope that ends a reply: with a failure, or with trailers alone. */
  readonly end: (status: RpcStatus | undefined, trailers: Metadata) => Buffer;
}

/** Shorter messages are not compressed. */
const COMPRESS_FROM_BYTES = 1024;
const pack = promisify<Uint8Array, Buffer>(gzip);

export function envelopeProtocol({ headers }: ProtocolRequest, format: EnvelopeFormat): RpcProtocol {
  const { encodingHeader, encodeBody, end } = format;
  const contentType = headers['content-type']?.toLowerCase();
  const isCompressed = /(?:^|[\s,])gzip(?:[\s,;]|$)/.test(String(headers[format.acceptHeader] ?? ''));

  const [name = ''] = (contentType ?? '').split(';');
  const replyType = Object.hasOwn(format.types, name) ? name : format.defaultType;

  async function envelope(message: Uint8Array): Promise<Buffer> {
    if (!isCompressed || message.length < COMPRESS_FROM_BYTES) return writeEnvelope(0, message);
    return writeEnvelope(COMPRESSED, await pack(message));
  }

  function answer<T extends Answer['body']>(metadata: Metadata, body: T, code: GrpcCode) {
    const all = metadataAsHeaders(metadata);
    if (isCompressed) all.set(encodingHeader, ['gzip']);
    return { status: 200, contentType: replyType, headers: all, body, isEncoded: true, code };
  }

  return {
    supports: format.supports,
    async read(body, limitBytes) {
      const codec = codecOfType(contentType, format.types);
      const timeoutMs = format.readTimeout();
      const { flags, bytes } = readEnvelope(format.decodeBody(body));
      if ((flags & ~COMPRESSED) !== 0) throw new ServiceError('invalid_argument', 'The message has unknown flags');
      if (flags === 0) return { codec, timeoutMs, message: bytes };
      const encoding = String(headers[encodingHeader] ?? '');
      if (encoding === '' || encoding === 'identity') {
        throw new ServiceError('invalid_argument', `The message is compressed, but ${encodingHeader} is missing`);
      }
      return { codec, timeoutMs, message: await decompress(encoding, bytes, limitBytes) };
    },
    async reply(reply, write) {
      const body = Buffer.concat([await envelope(write(reply.message)), end(undefined, reply.trailers)]);
      return answer(reply.headers, encodeBody(body), GRPC_CODES.ok);
    },
    stream({ headers: metadata, first, rest }, write, describe) {
      async function* parts(): AsyncGenerator<Buffer> {
        try {
          let next = first;
          for (; next.done !== true; next = await rest.next()) yield encodeBody(await envelope(write(next.value)));
          yield encodeBody(end(undefined, next.value));
        } catch (failure) {
          const described = describe(failure);
          yield encodeBody(end(described.status, described.metadata));
        } finally {
          await rest.return?.();
        }
      }
      return answer(metadata, parts(), GRPC_CODES.ok);
    },
    failure: ({ status, metadata }) => answer([], encodeBody(end(status, metadata)), status.code),
  };
}

/** A message in a stream: a byte of flags, four of its length, itself. Source: the gRPC protocol over HTTP/2. */
export interface Envelope {
  readonly flags: number;
  readonly bytes: Uint8Array;
}

const HEAD_BYTES = 5;
const COMPRESSED = 1;

export function writeEnvelope(flags: number, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/**
 * The one envelope of a request.
 *
 * @throws {ServiceError} `invalid_argument` for one that is cut short, `unimplemented` for none or several
 */
function readEnvelope(body: Uint8Array): Envelope {
  if (body.length === 0) throw new ServiceError('unimplemented', 'A request has one message; this one has none');
  const view = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const end = view.length < HEAD_BYTES ? Number.POSITIVE_INFINITY : HEAD_BYTES + view.readUInt32BE(1);
  if (end > view.length) throw new ServiceError('invalid_argument', 'The message is shorter than its length prefix');
  if (end < view.length) throw new ServiceError('unimplemented', 'A request has one message; this one has more bytes');
  return { flags: view.readUInt8(0), bytes: view.subarray(HEAD_BYTES) };
}

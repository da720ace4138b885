import { ServiceError } from '@mlango/service-kit/errors';
import type { Codec } from '@mlango/transcoder/bind-message';
import { GRPC_CODES, httpStatusOf } from '@mlango/transcoder/grpc-status';
import { LONGEST_TIMEOUT_MS } from '@mlango/transcoder/grpc-timeout';
import { printMetadata } from '@mlango/transcoder/metadata';
import type { WholeAnswer } from '../../answers/answer.js';
import { codecOfType, decompress } from '../message-encoding.js';
import { metadataAsHeaders } from '../metadata.js';
import type { DescribedFailure, ProtocolRequest, RpcCall, RpcProtocol } from '../protocol.js';
import { connectError } from './errors.js';

const TYPES = { 'application/proto': 'proto', 'application/json': 'json' } as const;

/** Single messages in bodies of HTTP. Source: the Connect protocol, Unary. */
export function connectUnary(request: ProtocolRequest): RpcProtocol {
  let codec: Codec = 'json';
  return {
    supports: (kind) => kind === 'unary',
    async read(body, limitBytes) {
      const timing = readConnectHeaders(request);
      const packed = request.method === 'GET' ? readQuery(request.url ?? '') : readPost(request, body);
      codec = packed.codec;
      return { ...timing, codec, message: await decompress(packed.encoding, packed.bytes, limitBytes) };
    },
    async reply({ headers, trailers, message }, write) {
      const all = metadataAsHeaders(headers);
      for (const [name, values] of printMetadata('trailer-', trailers)) all.set(name, values);
      const body = write(message);
      return {
        status: 200,
        contentType: `application/${codec}`,
        headers: all,
        body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
        code: GRPC_CODES.ok,
      };
    },
    stream() {
      throw new TypeError('a stream needs envelopes');
    },
    failure,
  };
}

function failure({ status, metadata }: DescribedFailure): WholeAnswer {
  return {
    status: httpStatusOf(status.code),
    contentType: 'application/json',
    headers: metadataAsHeaders(metadata),
    body: JSON.stringify(connectError(status)),
    code: status.code,
  };
}

interface EncodedCall {
  readonly codec: RpcCall['codec'];
  readonly encoding: string | undefined;
  readonly bytes: Uint8Array;
}

function readPost({ headers }: ProtocolRequest, bytes: Uint8Array): EncodedCall {
  return { codec: codecOfType(headers['content-type'], TYPES), encoding: headers['content-encoding'], bytes };
}

/** Calls without effects may be GETs. Source: the Connect protocol, Unary-Get-Request. */
function readQuery(url: string): EncodedCall {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  if ((query.get('connect') ?? 'v1') !== 'v1') throw new ServiceError('invalid_argument', 'connect must be v1');
  const text = query.get('message') ?? '';
  const isBase64 = query.get('base64') === '1';
  if (isBase64 && !/^[\w+/-]*={0,2}$/.test(text)) throw new ServiceError('invalid_argument', 'message is not base64');
  return {
    codec: codecOfType(`application/${query.get('encoding') ?? ''}`, TYPES),
    encoding: query.get('compression') ?? undefined,
    bytes: Buffer.from(text, isBase64 ? 'base64' : 'utf8'),
  };
}

/**
 * The headers of unary and streaming Connect. @throws {ServiceError} `invalid_argument` for another version or a malformed
 * timeout
 */
export function readConnectHeaders({ headers }: ProtocolRequest): { readonly timeoutMs: number | undefined } {
  const version = headers['connect-protocol-version'] ?? '1';
  if (version !== '1') throw new ServiceError('invalid_argument', 'Connect-Protocol-Version must be 1');
  const text = headers['connect-timeout-ms'];
  if (text === undefined) return { timeoutMs: undefined };
  if (typeof text !== 'string' || !/^[0-9]{1,10}$/.test(text)) {
    throw new ServiceError('invalid_argument', 'Connect-Timeout-Ms must be up to ten digits');
  }
  return { timeoutMs: Math.min(Number(text), LONGEST_TIMEOUT_MS) };
}

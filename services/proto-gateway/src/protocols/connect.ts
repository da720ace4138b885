import { ServiceError } from '@mlango/service-kit/errors';
import type { Codec } from '@mlango/transcoder/bind-message';
import { GRPC_CODES, httpStatusOf } from '@mlango/transcoder/grpc-status';
import { printMetadata } from '@mlango/transcoder/metadata';
import type { WholeAnswer } from '../query/answer.js';
import { codecOfType } from './codec-of-type.js';
import { connectError } from './connect-error.js';
import { readConnectHeaders } from './connect-headers.js';
import { ownHeaders } from './own-metadata.js';
import type { SpokenCall, SpokenRequest, Tongue, WordedFailure } from './tongue.js';
import { unpack } from './unpack.js';

const TYPES = { 'application/proto': 'proto', 'application/json': 'json' } as const;

/** Single messages in bodies of HTTP. Source: the Connect protocol, Unary. */
export function connect(request: SpokenRequest): Tongue {
  let codec: Codec = 'json';
  return {
    carries: (kind) => kind === 'unary',
    async read(body, limitBytes) {
      const timing = readConnectHeaders(request);
      const packed = request.method === 'GET' ? readQuery(request.url ?? '') : readPost(request, body);
      codec = packed.codec;
      return { ...timing, codec, message: await unpack(packed.packing, packed.bytes, limitBytes) };
    },
    async reply({ headers, trailers, message }, write) {
      const all = ownHeaders(headers);
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
      throw new TypeError('a stream goes in envelopes');
    },
    failure,
  };
}

function failure({ status, metadata }: WordedFailure): WholeAnswer {
  return {
    status: httpStatusOf(status.code),
    contentType: 'application/json',
    headers: ownHeaders(metadata),
    body: JSON.stringify(connectError(status)),
    code: status.code,
  };
}

interface PackedCall {
  readonly codec: SpokenCall['codec'];
  readonly packing: string | undefined;
  readonly bytes: Uint8Array;
}

function readPost({ headers }: SpokenRequest, bytes: Uint8Array): PackedCall {
  return { codec: codecOfType(headers['content-type'], TYPES), packing: headers['content-encoding'], bytes };
}

/** Calls without effects may be GETs. Source: the Connect protocol, Unary-Get-Request. */
function readQuery(url: string): PackedCall {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  if ((query.get('connect') ?? 'v1') !== 'v1') throw new ServiceError('invalid_argument', 'connect must be v1');
  const text = query.get('message') ?? '';
  const isBase64 = query.get('base64') === '1';
  if (isBase64 && !/^[\w+/-]*={0,2}$/.test(text)) throw new ServiceError('invalid_argument', 'message is not base64');
  return {
    codec: codecOfType(`application/${query.get('encoding') ?? ''}`, TYPES),
    packing: query.get('compression') ?? undefined,
    bytes: Buffer.from(text, isBase64 ? 'base64' : 'utf8'),
  };
}

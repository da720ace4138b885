import { Readable } from 'node:stream';
import { ServiceError } from '@mlango/service-kit/errors';
import { type HttpApp, whenReplyClosed } from '@mlango/service-kit/http-app';
import type { RouteMatch, Transcoder } from '@mlango/transcoder';
import type { HeaderPairs } from '@mlango/transcoder/metadata';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../catalog/routes.js';
import { Cancellation } from '../nodes/cancellation.js';
import { decompress, ENCODINGS } from '../protocols/message-encoding.js';
import { detectProtocol } from '../protocols/protocol.js';

/** Headers with credentials. */
const CREDENTIALS = /^(?:authorization|x-api-key|x-auth-type)$/i;

/**
 * The request headers as sent. Credentials of the gateway are not forwarded: the node could reuse them, and the reply could not
 * be cached.
 */
export function headerPairs(request: FastifyRequest, { isGated }: { readonly isGated: boolean }): HeaderPairs {
  const raw = request.raw.rawHeaders;
  const pairs: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]];
    if (!isGated || !CREDENTIALS.test(name)) pairs.push([name, value]);
  }
  return pairs;
}

/** Bodies are parsed by the descriptors, with any content type. */
export function byteBody(scope: HttpApp): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** The maximum of a URL. Each parameter has a cost, so an unlimited form would block other requests. */
const MAX_FORM_BYTES = 64 * 1024;

export interface FormRequest {
  readonly match: RouteMatch<Route>;
  /** The query, followed by the parameters of the form. */
  readonly rawQuery: string;
}

/**
 * A POST with a form, as in grpc-gateway: its values are query parameters; if the path has a route for GET only, that route is
 * used. `undefined` for other requests, and for a rule with the whole body.
 *
 * @throws {ServiceError} `payload_too_large` for a form above the limit
 */
export function readForm(
  transcoder: Transcoder<Route>,
  {
    method,
    url,
    contentType,
    body,
  }: { method: string; url: string; contentType: string | undefined; body: Uint8Array },
): FormRequest | undefined {
  if (method !== 'POST' || !isForm(contentType)) return undefined;
  const posted = transcoder.match('POST', url);
  const match = posted.kind === 'other_method' ? transcoder.match('GET', url) : posted;
  if (match.kind !== 'found' || (match === posted && match.route.body === '*')) return undefined;
  if (body.length > MAX_FORM_BYTES) {
    throw new ServiceError('payload_too_large', `A form has at most ${MAX_FORM_BYTES} bytes`);
  }
  const form = Buffer.from(body).toString('latin1');
  return { match, rawQuery: [match.rawQuery, form].filter((part) => part !== '').join('&') };
}

function isForm(contentType: string | undefined): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? '');
}

/** Encodings that mean an unchanged body. */
const PLAIN: ReadonlySet<string | undefined> = new Set([undefined, '', 'identity']);

/**
 * Decompresses request bodies with `Content-Encoding`, within the limit of their route. The protocols that call rpcs by name
 * decompress their own.
 */
export function unpackRequests(app: HttpApp): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const packing = request.headers['content-encoding']?.trim().toLowerCase();
    if (PLAIN.has(packing) || detectProtocol(request.raw) !== undefined) {
      done(null, payload);
      return;
    }
    const limit = request.routeOptions.bodyLimit;
    unpacked(packing === 'x-gzip' ? 'gzip' : packing, payload, limit).then(
      (stream) => done(null, stream),
      (error: Error) => done(error),
    );
  });
}

async function unpacked(packing: string | undefined, payload: AsyncIterable<unknown>, limit: number) {
  if (packing === undefined || !ENCODINGS.includes(packing)) {
    const names = ENCODINGS.join(', ');
    const headers = { 'accept-encoding': names };
    throw new ServiceError('unsupported_media_type', `Bodies are accepted uncompressed, or compressed with ${names}`, {
      headers,
    });
  }
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of payload) {
    if (!Buffer.isBuffer(part)) continue;
    length += part.length;
    if (length > limit) throw new ServiceError('payload_too_large', `The body is larger than ${limit} bytes`);
    parts.push(part);
  }
  const bytes = await decompress(packing, Buffer.concat(parts), limit);
  // The length in the request header, which is the compressed one.
  return Object.assign(Readable.from([Buffer.from(bytes)], { objectMode: false }), { receivedEncodedLength: length });
}

/** Creates a signal that aborts when the client disconnects, and for a stream when the service closes. */
export type CancelWithCaller = (reply: FastifyReply, isStream: boolean) => Cancellation;

export function cancelWithCallers(app: HttpApp): CancelWithCaller {
  const streams = new Set<Cancellation>();
  // An open stream would hold the shutdown until its deadline.
  app.addHook('preClose', async () => {
    for (const cancellation of streams) if (!cancellation.aborted) cancellation.abort();
  });
  return (reply, isStream) => {
    const cancellation = new Cancellation();
    if (isStream) streams.add(cancellation);
    whenReplyClosed(reply.raw, () => {
      if (isStream) streams.delete(cancellation);
      // The client has disconnected.
      if (!reply.raw.writableEnded) cancellation.abort();
    });
    return cancellation;
  };
}

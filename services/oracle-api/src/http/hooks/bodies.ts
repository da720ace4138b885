import { finished, pipeline, Transform } from 'node:stream';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { MessageFiles } from '../../files/message-files.js';

/**
 * Accepts only bodies of type application/json. An empty body counts as no body, because existing clients send this content type with every
 * request. Refuses keys that pollute prototypes.
 */
export function acceptJsonBodies(app: HttpApp): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parse(request, body.toString(), done);
  });
  app.addContentTypeParser('*', (request, _body, done) => {
    if (request.headers['content-length'] === '0') done(null, undefined);
    else done(new ServiceError('unsupported_media_type', 'Send the body as Content-Type: application/json'));
  });
}

/** Maximum size of a request that contains a whole conversation without files, in bytes. */
export const conversationBytes = 1_048_576;

/**
 * Accepts files in base64 on the routes of a scope. A body above `textBytes` is counted while it arrives, by user and by address, until the
 * reply begins; the caller is authenticated before that.
 *
 * @returns the body limit of these routes, in bytes
 */
export function acceptFileBodies(
  scope: HttpApp,
  { messageFiles }: { readonly messageFiles: Pick<MessageFiles, 'bodyBytes' | 'countBody'> },
  textBytes: number,
): number {
  const { countBody } = messageFiles;
  if (countBody === undefined) return textBytes;
  const releases = new WeakMap<object, () => void>();
  scope.addHook('preParsing', async (request, reply, body) => {
    // A body without this header is chunked.
    const isSmall = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= textBytes;
    if (isSmall || request.caller === null) return body;
    const { counted, release } = countBody({ user: callerOf(request).did, address: addressKey(request.ip) });
    releases.set(request, release);
    finished(reply.raw, release);
    return pipeline(body, boundedJson(textBytes / 2), counted, () => undefined);
  });
  scope.addHook('onSend', async (request) => {
    const release = releases.get(request);
    if (release === undefined) return;
    // The reply may be a stream that lasts as long as a turn.
    request.body = undefined;
    release();
  });
  return textBytes + messageFiles.bodyBytes;
}

/** Characters that precede JSON elements. Base64 contains none of them. */
const beforeElements = [',', '[', '{'].map((sign) => sign.charCodeAt(0));

/** Bounds the number of JSON elements of a large body, because parse time grows with them. */
function boundedJson(most: number): Transform {
  let elements = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const sign of beforeElements) {
        for (let at = chunk.indexOf(sign); at !== -1 && elements <= most; at = chunk.indexOf(sign, at + 1))
          elements += 1;
      }
      if (elements <= most) done(null, chunk);
      else done(new ServiceError('payload_too_large', 'The JSON without the files is too large'));
    },
  });
}

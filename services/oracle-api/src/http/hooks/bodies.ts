import { finished, pipeline, Transform } from 'node:stream';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { MessageFiles } from '../../files/message-files.js';

/**
 * Takes bodies of type application/json and no others, and an empty one as no body: clients of this protocol send that
 * content type with every call, also with those that have nothing to say. Prototype-poisoning keys are refused.
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

/** Bytes of a request that brings all messages of a conversation, without its files. */
export const conversationBytes = 1_048_576;

/**
 * Lets requests of a scope bring files in base64. A body above `textBytes` is counted as it arrives, by user and by address, until the reply
 * begins; its caller is known by then.
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
    // A reply may be a stream that lasts as long as a turn.
    request.body = undefined;
    release();
  });
  return textBytes + messageFiles.bodyBytes;
}

/** Characters before the elements of JSON. Base64 has none of them. */
const beforeElements = [',', '[', '{'].map((sign) => sign.charCodeAt(0));

/** Passes JSON on that has no more elements than a small body may have: it would take as long to parse as it is long. */
function boundedJson(most: number): Transform {
  let elements = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const sign of beforeElements) {
        for (let at = chunk.indexOf(sign); at !== -1 && elements <= most; at = chunk.indexOf(sign, at + 1))
          elements += 1;
      }
      if (elements <= most) done(null, chunk);
      else done(new ServiceError('payload_too_large', 'Too much JSON beside the files'));
    },
  });
}

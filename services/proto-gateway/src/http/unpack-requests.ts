import { Readable } from 'node:stream';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { spokenTongue } from '../protocols/spoken-tongue.js';
import { PACKINGS, unpack } from '../protocols/unpack.js';

/** Without these names a body is as it was sent. */
const PLAIN: ReadonlySet<string | undefined> = new Set([undefined, '', 'identity']);

/**
 * Unpacks request bodies that come with `Content-Encoding`, within the limit of their route. The protocols that are called by the names
 * of rpcs unpack their own.
 */
export function unpackRequests(app: HttpApp): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const packing = request.headers['content-encoding']?.trim().toLowerCase();
    if (PLAIN.has(packing) || spokenTongue(request.raw) !== undefined) {
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
  if (packing === undefined || !PACKINGS.includes(packing)) {
    const names = PACKINGS.join(', ');
    const headers = { 'accept-encoding': names };
    throw new ServiceError('unsupported_media_type', `Bodies are taken plain, or packed with ${names}`, { headers });
  }
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of payload) {
    if (!Buffer.isBuffer(part)) continue;
    length += part.length;
    if (length > limit) throw new ServiceError('payload_too_large', `The body is larger than ${limit} bytes`);
    parts.push(part);
  }
  const bytes = await unpack(packing, Buffer.concat(parts), limit);
  // As long as the header of the request says, which is of the packed form.
  return Object.assign(Readable.from([Buffer.from(bytes)], { objectMode: false }), { receivedEncodedLength: length });
}

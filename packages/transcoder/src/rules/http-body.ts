import type { DescMessage } from '@bufbuild/protobuf';
import { lastBytesOf } from '../wire/field.js';
import type { HttpRoute } from './http-route.js';

const HTTP_BODY = 'google.api.HttpBody';
const CONTENT_TYPE = 1;
const DATA = 2;
/** The default content type. */
export const UNKNOWN_TYPE = 'application/octet-stream';
/** Source: RFC 9110, media-type. */
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:[ \t]*;[\x20-\x7e]{0,200})?$/;

/** A reply that is not JSON. Source: google/api/httpbody.proto. */
export interface RawBody {
  readonly contentType: string;
  readonly data: Uint8Array;
}

/** Whether a message is a raw HTTP body. */
export function isHttpBody(desc: DescMessage | undefined): boolean {
  return desc?.typeName === HTTP_BODY;
}

/** Reads raw replies; `undefined` for a route with JSON replies. */
export function rawReader({ rpc, responseBody }: HttpRoute): ((reply: Uint8Array) => RawBody) | undefined {
  if (responseBody === '') return isHttpBody(rpc.output) ? readHttpBody : undefined;
  const field = rpc.output.fields.find(({ name }) => name === responseBody);
  if (field?.fieldKind !== 'message' || !isHttpBody(field.message)) return undefined;
  return (reply) => readHttpBody(bytesOf(reply, field.number));
}

function readHttpBody(message: Uint8Array): RawBody {
  const contentType = new TextDecoder().decode(bytesOf(message, CONTENT_TYPE));
  // An invalid type could break out of its header, or cause type sniffing.
  return { contentType: MEDIA_TYPE.test(contentType) ? contentType : UNKNOWN_TYPE, data: bytesOf(message, DATA) };
}

function bytesOf(message: Uint8Array, fieldNumber: number): Uint8Array {
  return lastBytesOf(message, fieldNumber) ?? NOTHING;
}

const NOTHING = new Uint8Array();

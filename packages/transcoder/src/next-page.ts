import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { resolveFieldPath } from './field-path.js';
import { decodeQueryPart } from './percent-decoding.js';
import { WIRE, WireCursor } from './wire-cursor.js';

const PAGE_REQUEST = 'cosmos.base.query.v1beta1.PageRequest';
const PAGE_RESPONSE = 'cosmos.base.query.v1beta1.PageResponse';
/** `next_key` of a PageResponse. */
const NEXT_KEY_TAG = (1 << 3) | WIRE.bytes;

/** Gives the query of the next page, for the query of a page and the bytes of its reply; `undefined` after the last one. */
export type NextPageQuery = (rawQuery: string, reply: Uint8Array) => string | undefined;

/** For a method whose pages can be turned; `undefined` for others. */
export function nextPageQuery(input: DescMessage, output: DescMessage): NextPageQuery | undefined {
  const request = findPage(input, PAGE_REQUEST);
  const response = findPage(output, PAGE_RESPONSE);
  if (request === undefined || response === undefined) return undefined;
  const turned = new Set([`${request.name}.key`, `${request.name}.offset`]);
  return (rawQuery, reply) => {
    const key = findNextKey(reply, response.number);
    if (key === undefined) return undefined;
    const kept = rawQuery.split('&').filter((part) => part !== '' && !turned.has(canonicalName(input, part)));
    return [...kept, `${request.name}.key=${encodeURIComponent(Buffer.from(key).toString('base64'))}`].join('&');
  };
}

function findPage(message: DescMessage, typeName: string): DescField | undefined {
  return message.fields.find((field) => field.fieldKind === 'message' && field.message.typeName === typeName);
}

/** The name of a parameter in proto names, whichever way it is spelled. */
function canonicalName(input: DescMessage, part: string): string {
  const [name = ''] = part.split('=', 1);
  const resolved = resolveFieldPath(input, decodeQueryPart(name) ?? '');
  return 'path' in resolved ? resolved.path.canonical : '';
}

function findNextKey(reply: Uint8Array, fieldNumber: number): Uint8Array | undefined {
  const cursor = new WireCursor(reply);
  let key: Uint8Array | undefined;
  for (let tag = cursor.tag(reply.length); tag !== 0; tag = cursor.tag(reply.length)) {
    if (tag >>> 3 !== fieldNumber || (tag & 7) !== WIRE.bytes) {
      cursor.skip(tag, reply.length);
      continue;
    }
    const end = cursor.endOfBytes(reply.length);
    for (let inner = cursor.tag(end); inner !== 0; inner = cursor.tag(end)) {
      const start = cursor.pos;
      const valueEnd = cursor.skip(inner, end);
      if (inner !== NEXT_KEY_TAG) continue;
      cursor.pos = start;
      cursor.endOfBytes(end);
      key = reply.subarray(cursor.pos, valueEnd);
      cursor.pos = valueEnd;
    }
  }
  return key === undefined || key.length === 0 ? undefined : key;
}

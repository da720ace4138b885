import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { parseQuery } from '@mlango/transcoder/bind-query';
import { resolveFieldPath } from '@mlango/transcoder/field-path';
import { lastBytesOf } from '@mlango/transcoder/wire-field';

const PAGE_REQUEST = 'cosmos.base.query.v1beta1.PageRequest';
const PAGE_RESPONSE = 'cosmos.base.query.v1beta1.PageResponse';
/** The number of `next_key` in a PageResponse. */
const NEXT_KEY = 1;

/** Returns the query of the next page, for the query of a page and the bytes of its reply; `undefined` after the last one. */
export type NextPageQuery = (rawQuery: string, reply: Uint8Array) => string | undefined;

/** For methods with pages; `undefined` for others. */
export function nextPageQuery(input: DescMessage, output: DescMessage): NextPageQuery | undefined {
  const request = findPage(input, PAGE_REQUEST);
  const response = findPage(output, PAGE_RESPONSE);
  if (request === undefined || response === undefined) return undefined;
  const replacedNames = new Set([`${request.name}.key`, `${request.name}.offset`]);
  return (rawQuery, reply) => {
    const key = findNextKey(reply, response.number);
    if (key === undefined) return undefined;
    const rest = rawQuery.split('&').filter((part) => part !== '' && !replacedNames.has(canonicalName(input, part)));
    return [...rest, `${request.name}.key=${encodeURIComponent(Buffer.from(key).toString('base64'))}`].join('&');
  };
}

/** `Link` to the next page; `undefined` on the last one. Source: RFC 8288. */
export function linkToNextPage(
  nextQuery: NextPageQuery | undefined,
  { rawPath, rawQuery }: { readonly rawPath: string; readonly rawQuery: string },
  reply: Uint8Array,
): string | undefined {
  const query = nextQuery?.(rawQuery, reply);
  if (query === undefined) return undefined;
  return `<${`${rawPath}?${query}`.replace(/[<>"]/g, encodeURIComponent)}>; rel="next"`;
}

function findPage(message: DescMessage, typeName: string): DescField | undefined {
  return message.fields.find((field) => field.fieldKind === 'message' && field.message.typeName === typeName);
}

/** The name of a parameter in proto names, for either spelling. */
function canonicalName(input: DescMessage, part: string): string {
  const query = parseQuery(part);
  const [name] = ('pairs' in query ? query.pairs[0] : undefined) ?? [''];
  const resolved = resolveFieldPath(input, name);
  return 'path' in resolved ? resolved.path.canonical : '';
}

/** `next_key` of the PageResponse in a field of a reply. Throws on bytes that are no message. */
function findNextKey(reply: Uint8Array, fieldNumber: number): Uint8Array | undefined {
  const page = lastBytesOf(reply, fieldNumber);
  const key = page === undefined ? undefined : lastBytesOf(page, NEXT_KEY);
  return key === undefined || key.length === 0 ? undefined : key;
}

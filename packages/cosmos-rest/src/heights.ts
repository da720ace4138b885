import type { DescMessage } from '@bufbuild/protobuf';
import type { QueryPair } from '@mlango/transcoder/bind-query';
import { findField } from '@mlango/transcoder/field-path';
import { type Metadata, toReplyHeaders } from '@mlango/transcoder/metadata';
import type { Violation } from '@mlango/transcoder/violation';

/** The block to answer from in a request, and the one that was in a reply. */
export const HEIGHT_HEADER = 'x-cosmos-block-height';

/** Names a block that the caller has seen: who transcodes reads it, and the node is not told. */
export const MINIMUM_HEADER = 'x-min-block-height';

/** True for the digits of a block height. Height 0 is the latest one. */
export function isHeight(text: string): boolean {
  return /^[0-9]{1,18}$/.test(text);
}

export type TakenHeight =
  | { readonly height: string | undefined; readonly rest: readonly QueryPair[] }
  | { readonly violations: readonly [Violation, ...Violation[]] };

/** Takes `height` out of a query. A field of the request with that name comes first. */
export function takeHeight(query: readonly QueryPair[], input: DescMessage): TakenHeight {
  const isOwn = findField(input, 'height') !== undefined;
  const given = isOwn ? [] : query.filter(([name]) => name === 'height');
  const [first] = given;
  if (first === undefined) return { height: undefined, rest: query };
  if (given.length > 1) return { violations: [{ field: 'height', description: 'is given more than once' }] };
  if (!isHeight(first[1])) return { violations: [{ field: 'height', description: 'must be a block height' }] };
  return { height: first[1], rest: query.filter(([name]) => name !== 'height') };
}

/** The block height a node answered at. */
export function findHeight(metadata: Metadata): string | undefined {
  const value = metadata.find(([name]) => name === HEIGHT_HEADER)?.[1];
  return typeof value === 'string' && /^[0-9]{1,20}$/.test(value) ? value : undefined;
}

/** A node's metadata as the headers of a reply, the height also under its own name. */
export function replyHeaders(metadata: Metadata): Map<string, string[]> {
  const headers = toReplyHeaders(metadata);
  const height = findHeight(metadata);
  if (height !== undefined) headers.set(HEIGHT_HEADER, [height]);
  return headers;
}

import type { DescMessage } from '@bufbuild/protobuf';
import type { QueryPair } from '@mlango/transcoder/bind-query';
import { findField } from '@mlango/transcoder/field-path';
import { type Metadata, toReplyHeaders } from '@mlango/transcoder/metadata';
import type { Violation } from '@mlango/transcoder/violation';

/** The requested block of a request, and the block of a reply. */
export const HEIGHT_HEADER = 'x-cosmos-block-height';

/** The minimum height of a reply. The gateway reads it and does not forward it. */
export const MINIMUM_HEADER = 'x-min-block-height';

/** True for the digits of a block height. Height 0 is the latest one. */
export function isHeight(text: string): boolean {
  return isDigits(text, 18);
}

function isDigits(text: string, most: number): boolean {
  if (text.length === 0 || text.length > most) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) return false;
  }
  return true;
}

const [ZERO, NINE] = [0x30, 0x39];

export type TakenHeight =
  | { readonly height: string | undefined; readonly rest: readonly QueryPair[] }
  | { readonly violations: readonly [Violation, ...Violation[]] };

/** Takes `height` out of a query. A field of the request with that name has precedence. */
export function takeHeight(query: readonly QueryPair[], input: DescMessage): TakenHeight {
  let height: string | undefined;
  const rest: QueryPair[] = [];
  for (const pair of query) {
    const [name, value] = pair;
    if (name !== 'height' || findField(input, name) !== undefined) rest.push(pair);
    else if (height !== undefined) return { violations: [{ field: name, description: 'is given more than once' }] };
    else height = value;
  }
  if (height !== undefined && !isHeight(height))
    return { violations: [{ field: 'height', description: 'must be a block height' }] };
  return { height, rest };
}

/** The block height a node answered at. */
export function findHeight(metadata: Metadata): string | undefined {
  for (const [name, value] of metadata) {
    if (name === HEIGHT_HEADER) return typeof value === 'string' && isDigits(value, 20) ? value : undefined;
  }
  return undefined;
}

/** A node's metadata as the headers of a reply, the height also under its own name. */
export function replyHeaders(metadata: Metadata): Map<string, string[]> {
  const headers = toReplyHeaders(metadata);
  const height = findHeight(metadata);
  if (height !== undefined) headers.set(HEIGHT_HEADER, [height]);
  return headers;
}

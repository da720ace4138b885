import { type HeaderPairs, type Metadata, MINIMUM_HEADER } from '../transcoding/metadata.js';
import { isHeight } from '../transcoding/reply-options.js';
import type { Violation } from '../transcoding/request-draft.js';
import { requestedHeight } from '../upstream/call-key.js';

export type ReadMinimum =
  | { readonly atLeast: number | undefined }
  | { readonly violations: readonly [Violation, ...Violation[]] };

/** The block a request wants at least; none where its metadata ask for a height, and none for 0. */
export function readMinimum(headers: HeaderPairs, metadata: Metadata): ReadMinimum {
  const [given, second] = headers.filter(([name]) => name.toLowerCase() === MINIMUM_HEADER);
  if (given === undefined) return { atLeast: undefined };
  if (second !== undefined) return wrong('is given more than once');
  if (!isHeight(given[1])) return wrong('must be a block height');
  return { atLeast: requestedHeight(metadata) === undefined ? Number(given[1]) || undefined : undefined };
}

function wrong(description: string): ReadMinimum {
  return { violations: [{ field: MINIMUM_HEADER, description }] };
}

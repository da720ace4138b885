import { isHeight, MINIMUM_HEADER } from '@mlango/cosmos-rest/heights';
import type { HeaderPairs, Metadata } from '@mlango/transcoder/metadata';
import type { Violation } from '@mlango/transcoder/violation';
import { requestedHeight } from '../nodes/call-key.js';
import { onlyHeader } from './only-header.js';

export type ReadMinimum =
  | { readonly atLeast: number | undefined }
  | { readonly violations: readonly [Violation, ...Violation[]] };

/** The block a request wants at least; none where its metadata ask for a height, and none for 0. */
export function readMinimum(headers: HeaderPairs, metadata: Metadata): ReadMinimum {
  const violations: Violation[] = [];
  const given = onlyHeader(headers, MINIMUM_HEADER, violations);
  if (given === undefined) return { atLeast: undefined };
  if (!isHeight(given)) violations.push({ field: MINIMUM_HEADER, description: 'must be a block height' });
  const [first, ...rest] = violations;
  if (first !== undefined) return { violations: [first, ...rest] };
  return { atLeast: requestedHeight(metadata) === undefined ? Number(given) || undefined : undefined };
}

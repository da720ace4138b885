import { status } from '@grpc/grpc-js';
import type { PageRequest, PageResponse } from '@mlango/proto/cosmos/base/query/v1beta1/pagination';
import { StatusError } from './status-error.js';

/** One item of a list under its key. */
export interface Entry<T> {
  readonly key: Buffer;
  readonly value: T;
}

/** A page of a list and where the next one begins. */
export interface Page<T> {
  readonly items: T[];
  readonly pagination: PageResponse;
}

const DEFAULT_LIMIT = 100n;
const NO_KEY = Buffer.alloc(0);

/**
 * The page of a list as the Cosmos SDK cuts it.
 *
 * - no limit, or 0: 100 items, and the whole list is counted
 * - by key: begins at the first key that is not smaller (in reverse: at that one, going down), and never counts
 * - by offset: `total` is the length of the list when it was asked for, else 0
 * - `next_key` is the key of the first item that did not fit, or empty
 *
 * @param entries in the byte order of their keys
 * @throws StatusError INTERNAL for a key together with an offset
 */
export function paginate<T>(entries: readonly Entry<T>[], request: PageRequest | undefined): Page<T> {
  const offset = BigInt(request?.offset ?? '0');
  const key = request?.key ?? NO_KEY;
  const asked = BigInt(request?.limit ?? '0');
  const limit = asked === 0n ? DEFAULT_LIMIT : asked;
  if (offset > 0n && key.length > 0) {
    throw new StatusError(status.INTERNAL, 'invalid request, either offset or key is expected, got both');
  }
  const reverse = request?.reverse ?? false;
  if (key.length > 0) return cut(entries, startOf(entries, key, reverse), limit, reverse);
  const counts = asked === 0n || (request?.count_total ?? false);
  const page = cut(entries, skip(entries.length, offset, reverse), limit, reverse);
  return { ...page, pagination: { ...page.pagination, total: counts ? String(entries.length) : '0' } };
}

/** Index of the first item of a page that begins at a key. */
function startOf<T>(entries: readonly Entry<T>[], key: Buffer, reverse: boolean): number {
  const notSmaller = firstNotSmaller(entries, key);
  return reverse ? Math.min(notSmaller, entries.length - 1) : notSmaller;
}

/** Index of the first item of a page that begins after so many items. */
function skip(length: number, offset: bigint, reverse: boolean): number {
  const skipped = offset > BigInt(length) ? length : Number(offset);
  return reverse ? length - 1 - skipped : skipped;
}

/** Takes items from an index on, upwards or downwards. */
function cut<T>(entries: readonly Entry<T>[], start: number, limit: bigint, reverse: boolean): Page<T> {
  const left = reverse ? start + 1 : entries.length - start;
  const count = limit < BigInt(left) ? Number(limit) : left;
  const items = reverse ? entries.slice(start + 1 - count, start + 1).reverse() : entries.slice(start, start + count);
  const next = reverse ? entries[start - count] : entries[start + count];
  return {
    items: items.map((entry) => entry.value),
    pagination: { next_key: next?.key ?? NO_KEY, total: '0' },
  };
}

/** Binary search in byte order. */
function firstNotSmaller<T>(entries: readonly Entry<T>[], key: Buffer): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && Buffer.compare(entry.key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

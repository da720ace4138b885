import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { StatusError } from './status-error.js';

/** One item of a list under its key. */
export interface Entry<T> {
  readonly key: Buffer;
  readonly value: T;
}

/** A page of a list, and a `PageResponse` in JSON. */
export interface Page<T> {
  readonly items: T[];
  readonly pagination: { readonly next_key: string; readonly total: string };
}

const DEFAULT_LIMIT = 100n;

/** Items under their keys, in the byte order of the keys. */
export function entriesOf<T>(items: readonly T[], keyOf: (item: T) => string): Entry<T>[] {
  const entries = items.map((value) => ({ key: Buffer.from(keyOf(value)), value }));
  return entries.sort((a, b) => Buffer.compare(a.key, b.key));
}

/**
 * The page of a list as the Cosmos SDK cuts it.
 *
 * - no limit, or 0: 100 items, and the whole list is counted
 * - by key: begins at the first key that is not smaller (in reverse: at that one, going down), and never counts
 * - by offset: `total` is the length of the list if requested, else 0
 * - `next_key` is the key of the first item that did not fit, or empty
 *
 * @param entries in the byte order of their keys
 * @param request a `PageRequest` in JSON
 * @throws StatusError INTERNAL for a key together with an offset
 */
export function paginate<T>(entries: readonly Entry<T>[], request: JsonValue | undefined): Page<T> {
  const asked = typeof request === 'object' && request !== null ? (request as JsonObject) : {};
  const offset = wholeNumber(asked['offset']);
  const key = Buffer.from(typeof asked['key'] === 'string' ? asked['key'] : '', 'base64');
  const reverse = asked['reverse'] === true;
  const limit = wholeNumber(asked['limit']) || DEFAULT_LIMIT;
  if (offset > 0n && key.length > 0) {
    throw new StatusError(status.INTERNAL, 'invalid request, either offset or key is expected, got both');
  }
  const start = key.length > 0 ? startOf(entries, key, reverse) : skip(entries.length, offset, reverse);
  const left = reverse ? start + 1 : entries.length - start;
  const count = limit < BigInt(left) ? Number(limit) : left;
  const page = reverse ? entries.slice(start + 1 - count, start + 1).reverse() : entries.slice(start, start + count);
  const next = reverse ? entries[start - count] : entries[start + count];
  const counts = key.length === 0 && (wholeNumber(asked['limit']) === 0n || asked['count_total'] === true);
  return {
    items: page.map(({ value }) => value),
    pagination: { next_key: next?.key.toString('base64') ?? '', total: counts ? String(entries.length) : '0' },
  };
}

function wholeNumber(value: JsonValue | undefined): bigint {
  return typeof value === 'string' && value !== '' ? BigInt(value) : 0n;
}

/** Index of the first item of a page that begins at a key. */
function startOf<T>(entries: readonly Entry<T>[], key: Buffer, reverse: boolean): number {
  const found = entries.findIndex((entry) => Buffer.compare(entry.key, key) >= 0);
  const notSmaller = found < 0 ? entries.length : found;
  return reverse ? Math.min(notSmaller, entries.length - 1) : notSmaller;
}

/** Index of the first item of a page after this many items. */
function skip(length: number, offset: bigint, reverse: boolean): number {
  const skipped = offset > BigInt(length) ? length : Number(offset);
  return reverse ? length - 1 - skipped : skipped;
}

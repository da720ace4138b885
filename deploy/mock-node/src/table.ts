import type { PageRequest } from '@mlango/proto/cosmos/base/query/v1beta1/pagination';
import { type Entry, type Page, paginate } from './pagination.js';

/** Records of one kind, found by their key and listed in its byte order, as a node's store does. */
export interface Table<T> {
  readonly size: number;
  /** The first record of the list. */
  readonly first: T | undefined;
  get(key: string): T | undefined;
  page(request: PageRequest | undefined): Page<T>;
}

/** A table of records. The later of two with one key wins. */
export function table<T>(records: readonly T[], keyOf: (record: T) => string): Table<T> {
  const byKey = new Map(records.map((record) => [keyOf(record), record]));
  const entries: Entry<T>[] = [...byKey].map(([key, value]) => ({ key: Buffer.from(key), value }));
  entries.sort((a, b) => Buffer.compare(a.key, b.key));
  return {
    size: entries.length,
    first: entries[0]?.value,
    get: (key) => byKey.get(key),
    page: (request) => paginate(entries, request),
  };
}

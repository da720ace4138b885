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

/** Tables side by side, one for each owner; an owner without records has an empty one. */
export interface TablesByOwner<T> {
  of(owner: string): Table<T>;
}

/** Splits records by owner into tables. */
export function tablesByOwner<T>(
  records: readonly T[],
  ownerOf: (record: T) => string,
  keyOf: (record: T) => string,
): TablesByOwner<T> {
  const grouped = new Map<string, T[]>();
  for (const record of records) {
    const group = grouped.get(ownerOf(record));
    if (group) group.push(record);
    else grouped.set(ownerOf(record), [record]);
  }
  const tables = new Map([...grouped].map(([owner, group]) => [owner, table(group, keyOf)]));
  const none = table<T>([], keyOf);
  return { of: (owner) => tables.get(owner) ?? none };
}

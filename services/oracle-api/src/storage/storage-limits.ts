import { ServiceError } from '@mlango/service-kit/errors';
import type { Allowance } from '@mlango/service-kit/rate-limit';
import type { TableSizes } from './sql-table-sizes.js';

/** Bytes and rows that requests of one address may store in a day. */
export interface StoredAllowances {
  readonly bytes: Allowance;
  readonly rows: Allowance;
}

/** What is to be stored. */
export interface ToStore {
  readonly table: string;
  readonly bytes: number;
  /** Default 1. */
  readonly rows?: number;
}

/** Bounds what requests store: a ceiling for each table, and bytes and rows of one address in a day, whoever its users are. */
export class StorageLimits {
  readonly #allowances: StoredAllowances;
  readonly #tables: Pick<TableSizes, 'isFull'>;

  constructor(allowances: StoredAllowances, tables: Pick<TableSizes, 'isFull'>) {
    this.#allowances = allowances;
    this.#tables = tables;
  }

  /**
   * Takes them from what an address may store.
   *
   * @param address an `addressKey`
   * @throws ServiceError `unavailable` where the table is full, `rate_limited` where the address has stored as much as it may
   */
  async take(address: string, { table, bytes, rows = 1 }: ToStore): Promise<void> {
    if (this.#tables.isFull(table)) {
      throw new ServiceError('unavailable', 'Storage is full', {
        headers: { 'retry-after': '60' },
        limiter: 'storage',
      });
    }
    const taken = await Promise.all([
      this.#allowances.bytes.take(address, bytes),
      this.#allowances.rows.take(address, rows),
    ]);
    const waits = taken.flatMap((one) => (one.ok ? [] : [one.retryAfterSeconds]));
    if (waits.length === 0) return;
    const seconds = Math.max(...waits);
    throw new ServiceError(
      'rate_limited',
      `Your network has stored as much as it may in one day. Retry in ${seconds} seconds.`,
      {
        headers: { 'retry-after': String(seconds) },
        limiter: 'storage',
      },
    );
  }
}

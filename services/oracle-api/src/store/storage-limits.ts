import { ServiceError } from '@mlango/service-kit/errors';
import type { ReturnableAllowance } from '@mlango/service-kit/rate-limit';
import { sql } from 'drizzle-orm';
import type { OracleDatabase } from './database.js';

/** Bytes and rows that requests of one address may store in a day. */
export interface StoredAllowances {
  readonly bytes: ReturnableAllowance;
  readonly rows: ReturnableAllowance;
}

/** An intended write. */
export interface StorageRequest {
  readonly table: string;
  readonly bytes: number;
  /** Default 1. */
  readonly rows?: number;
}

/** Bounds the storage of requests: a size limit per table, and bytes and rows per address and day, for all users of the address. */
export class StorageLimits {
  readonly #allowances: StoredAllowances;
  readonly #tables: Pick<TableSizes, 'isFull'>;

  constructor(allowances: StoredAllowances, tables: Pick<TableSizes, 'isFull'>) {
    this.#allowances = allowances;
    this.#tables = tables;
  }

  /**
   * Takes bytes and rows from the allowance of an address. Returns a function that gives them back if nothing is stored.
   * @param address an `addressKey`
   * @throws ServiceError `unavailable` when the table is full, `rate_limited` when the allowance is used up
   */
  async take(address: string, { table, bytes, rows = 1 }: StorageRequest): Promise<() => Promise<void>> {
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
    if (waits.length === 0) {
      return async () => {
        await this.#allowances.bytes.giveBack(address, bytes);
        await this.#allowances.rows.giveBack(address, rows);
      };
    }
    const seconds = Math.max(...waits);
    throw new ServiceError(
      'rate_limited',
      `Your network has reached its daily storage limit. Retry in ${seconds} seconds.`,
      {
        headers: { 'retry-after': String(seconds) },
        limiter: 'storage',
      },
    );
  }
}

export interface TableSize {
  readonly table: string;
  /** Estimate of the database. */
  readonly rows: number;
  /** With indexes and TOAST data. */
  readonly bytes: number;
}

export interface TableSizesOptions {
  readonly db: Pick<OracleDatabase, 'select'>;
  /** Size limit of a table in bytes. */
  readonly ceilingBytes: number;
  readonly nowMs: () => number;
  readonly log: { warn(fields: object, text: string): void };
}

/** Maximum age of the sizes, in ms. */
const freshMs = 30_000;

/**
 * Sizes of the tables, from the catalogue of the database, without counting rows. They are read on demand, at most every 30 seconds and in
 * the background, so a table can exceed its limit by the writes of 30 seconds.
 */
export class TableSizes {
  readonly #options: TableSizesOptions;
  #full: ReadonlySet<string> = new Set();
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<readonly TableSize[]> | undefined;

  constructor(options: TableSizesOptions) {
    this.#options = options;
  }

  get ceilingBytes(): number {
    return this.#options.ceilingBytes;
  }

  /** Whether a table was at its limit when the sizes were last read; false before the first read. */
  isFull(table: string): boolean {
    const { nowMs, log } = this.#options;
    if (nowMs() - this.#readAtMs > freshMs) {
      this.read().catch((err: unknown) => log.warn({ err }, 'table sizes not read'));
    }
    return this.#full.has(table);
  }

  /** Reads the sizes now; concurrent calls share one read. Rejects when the database does. */
  read(): Promise<readonly TableSize[]> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<readonly TableSize[]> {
    const { db, nowMs, ceilingBytes } = this.#options;
    // Set before the read, so that a failed read is retried after 30 seconds.
    this.#readAtMs = nowMs();
    const sizes = await db
      .select({
        table: sql<string>`sizes.relname`,
        rows: sql<number>`sizes.found`.mapWith(Number),
        bytes: sql<number>`sizes.bytes`.mapWith(Number),
      })
      .from(
        sql`(select relname::text, greatest(reltuples, 0)::float8 as found, pg_total_relation_size(oid)::float8 as bytes
          from pg_class where relkind = 'r' and relnamespace = any (current_schemas(false)::regnamespace[]) order by relname) as sizes`,
      );
    this.#full = new Set(sizes.filter(({ bytes }) => bytes >= ceilingBytes).map(({ table }) => table));
    return sizes;
  }
}

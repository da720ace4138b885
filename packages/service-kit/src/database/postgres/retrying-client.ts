import { backoffMs, retry } from '@mlango/async/retry';
import type postgres from 'postgres';
import { isRefused } from '../../errors/sql-errors.js';
import type { PoolLoad } from '../sql-database.js';
import { LazyRows } from './lazy-rows.js';
import { type PostgresLimits, sessionSettings } from './postgres-client.js';

type Parameters = postgres.ParameterOrJSON<never>[];

export interface RetryingClientOptions extends Pick<PostgresLimits, 'slotWaitMs' | 'statementTimeoutMs'> {
  /** The address is a pooler in transaction mode: every transaction, also of one statement, sends its settings. */
  readonly pooled: boolean;
  /** Prepares single statements on their connections. */
  readonly isPrepared: boolean;
  /** Counters of the pool. */
  readonly load: { -readonly [Count in keyof PoolLoad]: PoolLoad[Count] };
  /** Why no statement can run now, if so: statements then take no connection, and fail or wait as if there were no free slot. */
  readonly obstacle: () => Error | undefined;
}

/** `ahead` and `simple` are the patched driver's (docs/adr/0008) and its own undocumented one. */
interface QueryOptions extends postgres.UnsafeQueryOptions {
  readonly ahead?: string;
  readonly simple?: boolean;
}

const prepared: QueryOptions = { prepare: true };

const PAUSES = { firstMs: 20, longestMs: 500 };

/**
 * The part of a postgres.js client that drizzle uses. Retries a connection that is refused because no slot is free, up to
 * `slotWaitMs`; no statement has run by then. A started statement or transaction is never retried.
 */
export class RetryingClient {
  readonly options: postgres.Sql['options'];
  readonly #pool: postgres.Sql;
  readonly #options: RetryingClientOptions;
  readonly #settings: string;
  readonly #queryOptions: QueryOptions;
  readonly #preparedStatements: PreparedStatements | undefined;

  constructor(pool: postgres.Sql, options: RetryingClientOptions) {
    this.options = pool.options;
    this.#pool = pool;
    this.#options = options;
    const settings = Object.entries(sessionSettings(options.statementTimeoutMs));
    this.#settings = `select ${settings.map(([name, ms]) => `set_config('${name}', '${ms}', true)`).join()}`;
    // Settings and statement are one implicit transaction, with which the settings end.
    this.#queryOptions = options.pooled ? { ahead: this.#settings, simple: false } : {};
    if (options.isPrepared) this.#preparedStatements = new PreparedStatements();
  }

  /** One statement. Runs once it is awaited: as rows of names and values, or with `values()` as values only. */
  unsafe(text: string, parameters?: Parameters, options?: postgres.UnsafeQueryOptions) {
    const queryOptions = this.#preparedStatements?.take(text) === true ? prepared : this.#queryOptions;
    const rows = () => this.#pool.unsafe(text, parameters, { ...options, ...queryOptions });
    return new LazyRows(
      () => this.#retrying(async () => rows()),
      () => this.#retrying(async () => rows().values()),
    );
  }

  begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
    let begun = false;
    const attempt = () =>
      this.#pool.begin(async (transaction) => {
        begun = true;
        if (!this.#options.pooled) return work(transaction);
        // Sent with the first statement; if they fail, the transaction fails for that reason.
        const settings = transaction.unsafe(this.#settings).then(() => undefined);
        const [applied, result] = await Promise.allSettled([settings, work(transaction)]);
        if (applied.status === 'rejected') throw applied.reason;
        if (result.status === 'rejected') throw result.reason;
        return result.value;
      }) as Promise<T>;
    return this.#retrying(attempt, () => !begun);
  }

  async #retrying<T>(attempt: () => Promise<T>, mayRetry = () => true): Promise<T> {
    const { load } = this.#options;
    const begunMs = performance.now();
    load.begun += 1;
    load.underWay += 1;
    try {
      return await this.#untilSlot(attempt, mayRetry, begunMs + this.#options.slotWaitMs);
    } finally {
      load.underWay -= 1;
      load.seconds += (performance.now() - begunMs) / 1000;
    }
  }

  #untilSlot<T>(attempt: () => Promise<T>, mayRetry: () => boolean, untilMs: number): Promise<T> {
    const { obstacle, load } = this.#options;
    const attemptWithoutObstacle = async () => {
      const inTheWay = obstacle();
      if (inTheWay !== undefined) throw inTheWay;
      return attempt();
    };
    return retry(attemptWithoutObstacle, {
      pauseMs: (error, refusals) => {
        if (!isRefused(error)) return undefined;
        load.refusals += 1;
        const pauseMs = backoffMs(refusals, PAUSES);
        return mayRetry() && performance.now() + pauseMs <= untilMs ? pauseMs : undefined;
      },
    });
  }
}

/** Maximum prepared statements of a connection. */
const maxPrepared = 200;

/**
 * Selects the statements to prepare: those with a repeated text. Texts that contain values or lists of varying length occur once,
 * and would fill the server's memory.
 */
export class PreparedStatements {
  readonly #prepared = new Set<string>();
  readonly #seenOnce = new Set<string>();

  /** Whether to prepare the statement with this text before it runs. */
  take(text: string): boolean {
    if (this.#prepared.has(text)) return true;
    if (this.#prepared.size >= maxPrepared) return false;
    if (this.#seenOnce.delete(text)) {
      this.#prepared.add(text);
      return true;
    }
    if (this.#seenOnce.size >= maxPrepared) this.#seenOnce.clear();
    this.#seenOnce.add(text);
    return false;
  }
}

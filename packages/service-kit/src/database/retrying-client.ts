import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { type PostgresLimits, sessionSettings } from './postgres-client.js';
import type { PoolLoad } from './sql-database.js';
import { isRefused } from './sql-errors.js';

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

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * The part of a postgres.js client that drizzle uses. Retries a connection that is refused for want of a free slot, up to
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
        // Sent with the first statement; if they fail, the transaction fails.
        const settings = transaction.unsafe(this.#settings).execute();
        const result = await work(transaction);
        await settings;
        return result;
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

  async #untilSlot<T>(attempt: () => Promise<T>, mayRetry: () => boolean, untilMs: number): Promise<T> {
    for (let refusals = 0; ; refusals += 1) {
      try {
        const obstacle = this.#options.obstacle();
        if (obstacle !== undefined) throw obstacle;
        return await attempt();
      } catch (error) {
        const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** refusals) * (0.5 + Math.random() / 2);
        if (!isRefused(error)) throw error;
        this.#options.load.refusals += 1;
        if (!mayRetry() || performance.now() + pauseMs > untilMs) throw error;
        await sleep(pauseMs);
      }
    }
  }
}

/** A lazy statement for drizzle: awaited directly, or after `values()`. */
export class LazyRows implements PromiseLike<unknown> {
  readonly #named: () => Promise<unknown>;
  readonly values: () => Promise<unknown>;

  constructor(named: () => Promise<unknown>, values: () => Promise<unknown>) {
    this.#named = named;
    this.values = values;
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement of postgres.js is awaited as well, and runs only then.
  then<A, B>(
    done?: ((rows: unknown) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#named().then(done, failed);
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

  /** Whether to prepare the statement with this text, which is about to run. */
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

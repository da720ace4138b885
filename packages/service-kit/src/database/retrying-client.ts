import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { type PostgresLimits, sessionSettings } from './postgres-client.js';
import { PreparedTexts } from './prepared-texts.js';
import type { PoolLoad } from './sql-database.js';
import { isRefused } from './sql-errors.js';

type Parameters = postgres.ParameterOrJSON<never>[];

export interface RetryingClientOptions extends Pick<PostgresLimits, 'slotWaitMs' | 'statementTimeoutMs'> {
  /** A pooler in transaction mode stands between: every transaction brings its settings, that of a single statement too. */
  readonly pooled: boolean;
  /** Statements that stand alone are prepared on their connections. */
  readonly isPrepared: boolean;
  /** Where it counts what it has to do. */
  readonly load: { -readonly [Count in keyof PoolLoad]: PoolLoad[Count] };
  /** Why no statement can be run now, if so: it then takes no connection, and fails or waits as if it had asked for one. */
  readonly obstacle: () => Error | undefined;
}

/** `ahead` and `simple` are the patched driver's (docs/adr/0008) and its own undocumented one. */
interface HowToRun extends postgres.UnsafeQueryOptions {
  readonly ahead?: string;
  readonly simple?: boolean;
}

const prepared: HowToRun = { prepare: true };

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * The part of a postgres.js client that drizzle uses. A connection that is refused because no slot is free is asked for
 * again, until `slotWaitMs` are over; nothing has been run by then. What has begun is never tried again.
 */
export class RetryingClient {
  readonly options: postgres.Sql['options'];
  readonly #pool: postgres.Sql;
  readonly #patience: RetryingClientOptions;
  readonly #settings: string;
  readonly #how: HowToRun;
  readonly #texts: PreparedTexts | undefined;

  constructor(pool: postgres.Sql, patience: RetryingClientOptions) {
    this.options = pool.options;
    this.#pool = pool;
    this.#patience = patience;
    const settings = Object.entries(sessionSettings(patience.statementTimeoutMs));
    this.#settings = `select ${settings.map(([name, ms]) => `set_config('${name}', '${ms}', true)`).join()}`;
    // What is sent before the server is asked to answer is one transaction: the settings end with the statement, or its failure.
    this.#how = patience.pooled ? { ahead: this.#settings, simple: false } : {};
    if (patience.isPrepared) this.#texts = new PreparedTexts();
  }

  /** One statement. Runs once it is awaited: as rows of names and values, or with `values()` of values alone. */
  unsafe(text: string, parameters?: Parameters, options?: postgres.UnsafeQueryOptions) {
    const how = this.#texts?.take(text) === true ? prepared : this.#how;
    const rows = () => this.#pool.unsafe(text, parameters, { ...options, ...how });
    return new LazyRows(
      () => this.#patiently(async () => rows()),
      () => this.#patiently(async () => rows().values()),
    );
  }

  begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
    let begun = false;
    const attempt = () =>
      this.#pool.begin(async (transaction) => {
        begun = true;
        if (!this.#patience.pooled) return work(transaction);
        // Sent together with the first statement. Should they fail, that one and all after it do.
        const settings = transaction.unsafe(this.#settings).execute();
        const result = await work(transaction);
        await settings;
        return result;
      }) as Promise<T>;
    return this.#patiently(attempt, () => !begun);
  }

  async #patiently<T>(attempt: () => Promise<T>, mayTryAgain = () => true): Promise<T> {
    const { load } = this.#patience;
    const begunMs = performance.now();
    load.begun += 1;
    load.underWay += 1;
    try {
      return await this.#untilSlot(attempt, mayTryAgain, begunMs + this.#patience.slotWaitMs);
    } finally {
      load.underWay -= 1;
      load.seconds += (performance.now() - begunMs) / 1000;
    }
  }

  async #untilSlot<T>(attempt: () => Promise<T>, mayTryAgain: () => boolean, untilMs: number): Promise<T> {
    for (let refusals = 0; ; refusals += 1) {
      try {
        const obstacle = this.#patience.obstacle();
        if (obstacle !== undefined) throw obstacle;
        return await attempt();
      } catch (error) {
        const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** refusals) * (0.5 + Math.random() / 2);
        if (!isRefused(error)) throw error;
        this.#patience.load.refusals += 1;
        if (!mayTryAgain() || performance.now() + pauseMs > untilMs) throw error;
        await sleep(pauseMs);
      }
    }
  }
}

/** What drizzle awaits: as it is, or after `values()`. */
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

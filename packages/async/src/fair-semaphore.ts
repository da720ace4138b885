/** Which limit refused a caller: that of all, or that of one kind of holder. */
export type FullLimit<Kind extends string> = 'total' | Kind;

export interface FairSemaphoreOptions<Kind extends string> {
  /** Name of the pool in metrics: lower case with underscores. */
  readonly name: string;
  /** Units in all. */
  readonly total: number;
  /** Units of one holder, for each kind of holder (`user`, `address`). */
  readonly shares: Readonly<Record<Kind, number>>;
  /** Callers that may wait for units, in all and of one holder, for each kind or equally for all kinds. Default: none waits. */
  readonly waiting?: { readonly total: number; readonly perHolder: number | Readonly<Record<Kind, number>> };
}

/** Units that a caller has. */
export interface Permit {
  /** Returns them; a second call has no effect. */
  release(): void;
}

/** A pool or its queue is full for this caller. */
export class SemaphoreFullError<Kind extends string = string> extends Error {
  override readonly name = 'SemaphoreFullError';
  readonly limit: FullLimit<Kind>;

  constructor(pool: string, limit: FullLimit<Kind>) {
    super(`${pool} is full: ${limit}`);
    this.limit = limit;
  }
}

export interface AcquireOptions {
  /** Default 1. More than a share or the total is never granted. */
  readonly units?: number;
  /** Ends the wait: `acquire` rejects with its reason. */
  readonly signal?: AbortSignal;
}

interface Waiter<Kind extends string> {
  readonly holders: Holders<Kind>;
  readonly units: number;
  readonly grant: (permit: Permit) => void;
}

export type Holders<Kind extends string> = Readonly<Record<Kind, string>>;

/**
 * Capacity of this process that callers share: units in all, and at most a share of them for each holder. One caller is one
 * holder of each kind, as a user and an address. In the queue the first caller within its shares is next, so a holder at its
 * share delays no other holder.
 */
export class FairSemaphore<Kind extends string> {
  readonly name: string;
  readonly #options: FairSemaphoreOptions<Kind>;
  readonly #kinds: readonly Kind[];
  readonly #held = new Map<string, number>();
  readonly #waits = new Map<string, number>();
  readonly #queue = new Set<Waiter<Kind>>();
  readonly #refused = new Map<FullLimit<Kind>, number>();
  #taken = 0;

  constructor(options: FairSemaphoreOptions<Kind>) {
    this.name = options.name;
    this.#options = options;
    this.#kinds = Object.keys(options.shares) as Kind[];
  }

  get total(): number {
    return this.#options.total;
  }

  /** Units that one holder of a kind may have; undefined if the pool has no such share. */
  shareOf(kind: string): number | undefined {
    return (this.#options.shares as Readonly<Record<string, number>>)[kind];
  }

  /** Units in use. */
  get taken(): number {
    return this.#taken;
  }

  /** Callers that wait. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Callers that were refused since the start, by the limit they met. */
  get refused(): ReadonlyMap<FullLimit<Kind>, number> {
    return this.#refused;
  }

  /** The units at once, or the limit that is reached. */
  tryAcquire(holders: Holders<Kind>, units = 1): Permit | { readonly full: FullLimit<Kind> } {
    const full = this.#fullFor(holders, units);
    if (full === undefined) return this.#take(holders, units);
    this.#count(full);
    return { full };
  }

  /**
   * Resolves with the units once they are available to this caller.
   * @throws SemaphoreFullError if too many callers wait already, or if the units exceed the caller's maximum
   */
  async acquire(holders: Holders<Kind>, { units = 1, signal }: AcquireOptions = {}): Promise<Permit> {
    signal?.throwIfAborted();
    const full = this.#fullFor(holders, units);
    if (full === undefined) return this.#take(holders, units);
    if (this.#isQueueFull(holders) || units > this.#most()) {
      this.#count(full);
      throw new SemaphoreFullError(this.name, full);
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (!this.#queue.delete(waiter)) return;
        for (const key of this.#keysOf(holders)) add(this.#waits, key, -1);
        signal?.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        leave();
        const reason: unknown = signal?.reason;
        reject(reason instanceof Error ? reason : new Error('the wait was aborted', { cause: reason }));
      };
      const waiter: Waiter<Kind> = {
        holders,
        units,
        grant: (permit) => {
          leave();
          resolve(permit);
        },
      };
      this.#queue.add(waiter);
      for (const key of this.#keysOf(holders)) add(this.#waits, key, 1);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /**
   * Runs a task with units, at once if some are free; they are always returned. @throws SemaphoreFullError, and the errors of the
   * task
   */
  async run<T>(holders: Holders<Kind>, task: () => Promise<T>, options: AcquireOptions = {}): Promise<T> {
    const { units = 1, signal } = options;
    signal?.throwIfAborted();
    const isFree = this.#fullFor(holders, units) === undefined;
    const permit = isFree ? this.#take(holders, units) : await this.acquire(holders, options);
    try {
      return await task();
    } finally {
      permit.release();
    }
  }

  /** The limit that a new caller reaches. Units that a waiting caller could use are not granted to a new one. */
  #fullFor(holders: Holders<Kind>, units: number): FullLimit<Kind> | undefined {
    const kind = this.#fullShare(holders, units);
    if (kind !== undefined) return kind;
    if (this.#taken + units > this.#options.total) return 'total';
    return [...this.#queue].some((waiter) => this.#fullShare(waiter.holders, waiter.units) === undefined)
      ? 'total'
      : undefined;
  }

  #fullShare(holders: Holders<Kind>, units: number): Kind | undefined {
    const { shares } = this.#options;
    return this.#kinds.find((kind) => (this.#held.get(keyOf(kind, holders[kind])) ?? 0) + units > shares[kind]);
  }

  #isQueueFull(holders: Holders<Kind>): boolean {
    const { waiting } = this.#options;
    if (waiting === undefined || this.#queue.size >= waiting.total) return true;
    const { perHolder } = waiting;
    const most = (kind: Kind) => (typeof perHolder === 'number' ? perHolder : perHolder[kind]);
    return this.#kinds.some((kind) => (this.#waits.get(keyOf(kind, holders[kind])) ?? 0) >= most(kind));
  }

  #most(): number {
    const { total, shares } = this.#options;
    return Math.min(total, ...this.#kinds.map((kind) => shares[kind]));
  }

  #take(holders: Holders<Kind>, units: number): Permit {
    this.#change(holders, units);
    let isReleased = false;
    return {
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.#change(holders, -units);
        this.#grantNext();
      },
    };
  }

  #grantNext(): void {
    for (const waiter of this.#queue) {
      if (this.#fullShare(waiter.holders, waiter.units) !== undefined) continue;
      if (this.#taken + waiter.units > this.#options.total) return;
      waiter.grant(this.#take(waiter.holders, waiter.units));
    }
  }

  #change(holders: Holders<Kind>, units: number): void {
    this.#taken += units;
    for (const key of this.#keysOf(holders)) add(this.#held, key, units);
  }

  #keysOf(holders: Holders<Kind>): string[] {
    return this.#kinds.map((kind) => keyOf(kind, holders[kind]));
  }

  #count(limit: FullLimit<Kind>): void {
    this.#refused.set(limit, (this.#refused.get(limit) ?? 0) + 1);
  }
}

function keyOf(kind: string, holder: string): string {
  return `${kind} ${holder}`;
}

/** Removes keys with a count of zero. */
function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count <= 0) counts.delete(key);
  else counts.set(key, count);
}

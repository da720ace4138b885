import { type SessionKey, sessionName } from '../sessions/session-store.js';

/**
 * Stores the tenant that was dialled last under a session id: some aggregators send the service code on the dial only. Not used with a
 * single tenant.
 *
 * Guarantees: an entry lives as long as a session and its retention, and each `find` extends it. Space is bounded. An unavailable store
 * rejects.
 */
export interface SessionTenantStore {
  save(key: SessionKey, tenantId: string): Promise<void>;
  find(key: SessionKey): Promise<string | undefined>;
}

export interface MemorySessionTenantStoreOptions {
  readonly retentionMs: number;
  /** Monotonic, in ms. */
  readonly clock?: () => number;
  readonly maxEntries?: number;
}

/** Entries of one process. A full store drops the oldest: the next hop without a code then goes to the default tenant. */
export class MemorySessionTenantStore implements SessionTenantStore {
  /** In the order of expiry. */
  readonly #entries = new Map<string, { readonly tenantId: string; readonly untilMs: number }>();
  readonly #retentionMs: number;
  readonly #clock: () => number;
  readonly #maxEntries: number;

  constructor({ retentionMs, clock = () => performance.now(), maxEntries = 100_000 }: MemorySessionTenantStoreOptions) {
    this.#retentionMs = retentionMs;
    this.#clock = clock;
    this.#maxEntries = maxEntries;
  }

  async save(key: SessionKey, tenantId: string): Promise<void> {
    const now = this.#clock();
    const name = sessionName(key);
    this.#entries.delete(name);
    this.#entries.set(name, { tenantId, untilMs: now + this.#retentionMs });
    for (const [oldest, { untilMs }] of this.#entries) {
      if (untilMs > now && this.#entries.size <= this.#maxEntries) return;
      this.#entries.delete(oldest);
    }
  }

  async find(key: SessionKey): Promise<string | undefined> {
    const entry = this.#entries.get(sessionName(key));
    if (entry === undefined || entry.untilMs <= this.#clock()) return undefined;
    await this.save(key, entry.tenantId);
    return entry.tenantId;
  }
}

import type { LostPlace } from './lost-place.js';
import { NamesById } from './names-by-id.js';
import type { SessionRecord } from './session-record.js';
import {
  goneMs,
  type Hold,
  type Legacy,
  placeName,
  type SessionKey,
  type SessionStore,
  type StoredSession,
  sessionName,
} from './session-store.js';

interface Entry {
  readonly record: SessionRecord;
  readonly liveUntilMs: number;
}

const sweepIntervalMs = 1000;

/**
 * Sessions of one process. Entries are kept in the order they run out, so that calls drop what is over and nothing needs
 * a timer. Past the most sessions those that are gone are given up first, then the oldest live ones; the next hop of
 * such a one is replayed from its text.
 */
export class MemorySessionStore implements SessionStore {
  readonly #clock: () => number;
  readonly #maxSessions: number;
  readonly #live = new Map<string, Entry>();
  /** Of the sessions in `#live`. */
  readonly #liveIds = new NamesById();
  readonly #gone = new Map<string, Entry>();
  readonly #places = new Map<string, { readonly place: LostPlace; readonly untilMs: number }>();
  #sweepAtMs = Number.NEGATIVE_INFINITY;
  readonly #locks = new Map<string, { readonly token: string; readonly untilMs: number }>();
  #lockCount = 0;

  /** @param options.clock the time in ms; monotonic, so that a corrected wall clock ends no session. */
  constructor(options: { clock?: () => number; maxSessions?: number } = {}) {
    this.#clock = options.clock ?? (() => performance.now());
    this.#maxSessions = options.maxSessions ?? 100_000;
  }

  async hold(key: SessionKey, lockMs: number, dialled?: string): Promise<Hold> {
    const now = this.#sweep();
    const id = sessionName(key);
    const held = this.#locks.get(id);
    if (held !== undefined && held.untilMs > now) return { kind: 'busy' };
    // Nobody outside of this process ever shows one.
    this.#lockCount += 1;
    const token = String(this.#lockCount);
    this.#locks.set(id, { token, untilMs: now + lockMs });
    const session = this.#find(id, now);
    if (dialled === undefined) return { kind: 'held', lock: token, session };
    const left = this.#places.get(placeName(key, dialled));
    const lostPlace = left !== undefined && left.untilMs > now ? left.place : undefined;
    return { kind: 'held', lock: token, session, lostPlace };
  }

  async renew(key: SessionKey, lock: string, lockMs: number): Promise<boolean> {
    const now = this.#clock();
    const held = this.#locks.get(sessionName(key));
    if (held?.token !== lock || held.untilMs <= now) return false;
    this.#locks.set(sessionName(key), { token: lock, untilMs: now + lockMs });
    return true;
  }

  async save(lock: string, record: SessionRecord, liveMs: number, legacy?: Legacy): Promise<boolean> {
    const now = this.#sweep();
    const id = sessionName(record);
    const held = this.#locks.get(id);
    if (held?.token !== lock || held.untilMs <= now) return false;
    this.#locks.delete(id);
    this.#live.delete(id);
    this.#gone.delete(id);
    (liveMs > 0 ? this.#live : this.#gone).set(id, { record, liveUntilMs: now + liveMs });
    if (liveMs > 0) this.#liveIds.add(record);
    else this.#liveIds.drop(record);
    if (legacy !== undefined) this.#leave(record, legacy, now + liveMs);
    this.#dropSurplus();
    return true;
  }

  async letGo(key: SessionKey, lock: string): Promise<void> {
    const id = sessionName(key);
    if (this.#locks.get(id)?.token === lock) this.#locks.delete(id);
  }

  async findLive(sessionId: string, aggregator?: string): Promise<SessionRecord | undefined> {
    const now = this.#sweep();
    for (const name of this.#liveIds.of(sessionId)) {
      const entry = this.#live.get(name);
      if (entry === undefined || entry.liveUntilMs <= now) continue;
      if (aggregator === undefined || entry.record.aggregator === aggregator) return entry.record;
    }
    return undefined;
  }

  async listLive(): Promise<string[]> {
    const now = this.#sweep();
    const ids = new Set<string>();
    for (const { record, liveUntilMs } of this.#live.values()) if (liveUntilMs > now) ids.add(record.sessionId);
    return [...ids];
  }

  /** Sessions held in memory, live or gone, and places that lost ones left. */
  get size(): number {
    return this.#live.size + this.#gone.size + this.#places.size;
  }

  #leave(record: SessionRecord, { place, keptMs }: Legacy, liveUntilMs: number): void {
    const id = placeName(record, record.serviceCode);
    if (place === undefined && this.#places.get(id)?.place.sessionId !== record.sessionId) return;
    this.#places.delete(id);
    if (place !== undefined) this.#places.set(id, { place, untilMs: liveUntilMs + keptMs });
  }

  #find(id: string, now: number): StoredSession | undefined {
    const entry = this.#live.get(id) ?? this.#gone.get(id);
    if (entry === undefined || entry.liveUntilMs + goneMs <= now) return undefined;
    return { phase: entry.liveUntilMs > now ? 'live' : 'gone', record: entry.record };
  }

  /**
   * Moves on what ran out, from the oldest. Not at every call: a map steps over what was deleted at its front, and
   * readers compare times themselves.
   */
  #sweep(): number {
    const now = this.#clock();
    if (now < this.#sweepAtMs) return now;
    this.#sweepAtMs = now + sweepIntervalMs;
    for (const [id, entry] of this.#live) {
      if (entry.liveUntilMs > now) break;
      this.#live.delete(id);
      this.#liveIds.drop(entry.record);
      this.#gone.set(id, entry);
    }
    for (const [id, entry] of this.#gone) {
      if (entry.liveUntilMs + goneMs > now) break;
      this.#gone.delete(id);
    }
    for (const [id, { untilMs }] of this.#places) {
      if (untilMs > now) break;
      this.#places.delete(id);
    }
    return now;
  }

  #dropSurplus(): void {
    if (this.size <= this.#maxSessions) return;
    // Some at once, so that a full store does not look for the oldest at every hop.
    const target = this.#maxSessions - Math.floor(this.#maxSessions / 100);
    while (this.size > target) {
      const map = [this.#gone, this.#places].find(({ size }) => size > 0) ?? this.#live;
      const [oldest] = map.keys();
      if (oldest === undefined) return;
      const lost = this.#live.get(oldest);
      if (map === this.#live && lost !== undefined) this.#liveIds.drop(lost.record);
      map.delete(oldest);
    }
  }
}

import type { ResumePoint, ResumeUpdate } from './resume-point.js';
import type { SessionRecord } from './session-record.js';
import { tenantOf } from './session-scope.js';
import {
  expiredRetentionMs,
  type Hold,
  resumePointName,
  type SessionKey,
  type SessionStore,
  sessionName,
} from './session-store.js';

interface Entry {
  readonly record: SessionRecord;
  readonly liveUntilMs: number;
}

const sweepIntervalMs = 5000;

/**
 * Sessions of one process. What is over is dropped by a call now and then, so that nothing needs a timer; readers compare times themselves.
 * Past the most sessions those that are gone are given up first, then lost places, then the oldest live ones; the next hop of such a one is
 * replayed from its text.
 */
export class MemorySessionStore implements SessionStore {
  readonly #clock: () => number;
  readonly #maxSessions: number;
  /** Live or gone, that saved last at the end. */
  readonly #sessions = new Map<string, Entry>();
  /**
   * Names of sessions by the id that gateways give them. Several subscribers may share one, then that saved last is at the end; a set for each
   * session would take as much room as the session.
   */
  readonly #names = new Map<string, string | Set<string>>();
  readonly #places = new Map<string, { readonly place: ResumePoint; readonly untilMs: number }>();
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
    const name = sessionName(key);
    if ((this.#locks.get(name)?.untilMs ?? now) > now) return { kind: 'busy' };
    // Nobody outside of this process ever shows one.
    this.#lockCount += 1;
    const lock = String(this.#lockCount);
    this.#locks.set(name, { token: lock, untilMs: now + lockMs });
    const found = this.#sessions.get(name);
    const isKnown = found !== undefined && found.liveUntilMs + expiredRetentionMs > now;
    const phase = isKnown && found.liveUntilMs > now ? 'live' : 'gone';
    const left = dialled === undefined ? undefined : this.#places.get(resumePointName(key, dialled));
    return {
      kind: 'held',
      lock,
      session: isKnown ? { phase, record: found.record } : undefined,
      lostPlace: left !== undefined && left.untilMs > now ? left.place : undefined,
    };
  }

  async renew(key: SessionKey, lock: string, lockMs: number): Promise<boolean> {
    const now = this.#clock();
    const isHeld = this.#isHeld(sessionName(key), lock, now);
    if (isHeld) this.#locks.set(sessionName(key), { token: lock, untilMs: now + lockMs });
    return isHeld;
  }

  async save(lock: string, record: SessionRecord, liveMs: number, legacy?: ResumeUpdate): Promise<boolean> {
    const now = this.#sweep();
    const name = sessionName(record);
    if (!this.#isHeld(name, lock, now)) return false;
    this.#locks.delete(name);
    this.#sessions.delete(name);
    this.#sessions.set(name, { record, liveUntilMs: now + liveMs });
    this.#keepName(name, record.sessionId);
    if (legacy !== undefined) this.#leave(record, legacy, now + liveMs);
    if (this.size > this.#maxSessions) this.#dropSurplus(now);
    return true;
  }

  async release(key: SessionKey, lock: string): Promise<void> {
    const name = sessionName(key);
    if (this.#locks.get(name)?.token === lock) this.#locks.delete(name);
  }

  async findLive(sessionId: string, lines: readonly string[]): Promise<SessionRecord | undefined> {
    const now = this.#sweep();
    const names = this.#names.get(sessionId) ?? [];
    return (typeof names === 'string' ? [names] : [...names])
      .flatMap((name) => this.#sessions.get(name) ?? [])
      .findLast(({ record, liveUntilMs }) => liveUntilMs > now && lines.includes(record.aggregator))?.record;
  }

  async listLive(service: string): Promise<string[]> {
    return [...new Set(this.#liveOf(service).map(({ record }) => record.sessionId))];
  }

  async countLive(service: string): Promise<number> {
    return this.#liveOf(service).length;
  }

  #liveOf(service: string): Entry[] {
    const now = this.#sweep();
    const isLive = ({ record, liveUntilMs }: Entry) => liveUntilMs > now && tenantOf(record.aggregator) === service;
    return [...this.#sessions.values()].filter(isLive);
  }

  /** Sessions held in memory, live or gone, and places that lost ones left. */
  get size(): number {
    return this.#sessions.size + this.#places.size;
  }

  #isHeld(name: string, lock: string, now: number): boolean {
    const held = this.#locks.get(name);
    return held?.token === lock && held.untilMs > now;
  }

  #leave(record: SessionRecord, { point: place, retentionMs: keptMs }: ResumeUpdate, liveUntilMs: number): void {
    const name = resumePointName(record, record.serviceCode);
    if (place === undefined && this.#places.get(name)?.place.sessionId !== record.sessionId) return;
    this.#places.delete(name);
    if (place !== undefined) this.#places.set(name, { place, untilMs: liveUntilMs + keptMs });
  }

  #keepName(name: string, sessionId: string): void {
    const known = this.#names.get(sessionId) ?? name;
    if (known === name) {
      this.#names.set(sessionId, name);
      return;
    }
    const names = typeof known === 'string' ? new Set([known]) : known;
    names.delete(name);
    this.#names.set(sessionId, names.add(name));
  }

  #forget(name: string, sessionId: string): void {
    this.#sessions.delete(name);
    const names = this.#names.get(sessionId);
    if (names === name || (typeof names === 'object' && names.delete(name) && names.size === 0))
      this.#names.delete(sessionId);
  }

  #forgetWhere(isOver: (entry: Entry) => boolean): void {
    for (const [name, entry] of this.#sessions) if (isOver(entry)) this.#forget(name, entry.record.sessionId);
  }

  #sweep(): number {
    const now = this.#clock();
    if (now < this.#sweepAtMs) return now;
    this.#sweepAtMs = now + sweepIntervalMs;
    this.#forgetWhere(({ liveUntilMs }) => liveUntilMs + expiredRetentionMs <= now);
    for (const [name, { untilMs }] of this.#places) if (untilMs <= now) this.#places.delete(name);
    return now;
  }

  /** Some at once, so that a full store does not look for the oldest at every hop. */
  #dropSurplus(now: number): void {
    const target = this.#maxSessions - Math.floor(this.#maxSessions / 100);
    this.#forgetWhere(({ liveUntilMs }) => this.size > target && liveUntilMs <= now);
    for (const name of this.#places.keys()) if (this.size > target) this.#places.delete(name);
    this.#forgetWhere(() => this.size > target);
  }
}

import { tenantOf } from '../session-scope.js';
import type { ResumePoint, ResumeUpdate } from './resume-point.js';
import type { SessionRecord } from './session-record.js';
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
 * Sessions of one process. Calls drop expired entries now and then, so that no timer is needed; readers compare times themselves. A full
 * store drops expired sessions first, then resume points, then the oldest live sessions: their next hop is replayed from its text.
 */
export class MemorySessionStore implements SessionStore {
  readonly #clock: () => number;
  readonly #maxSessions: number;
  /** Live or expired, the last saved at the end. */
  readonly #sessions = new Map<string, Entry>();
  /** Names by session id. Several subscribers may share an id; a set for each session would take as much memory as the session. */
  readonly #names = new Map<string, string | Set<string>>();
  readonly #points = new Map<string, { readonly point: ResumePoint; readonly untilMs: number }>();
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
    // A counter is enough: locks never leave this process.
    this.#lockCount += 1;
    const lock = String(this.#lockCount);
    this.#locks.set(name, { token: lock, untilMs: now + lockMs });
    const found = this.#sessions.get(name);
    const isKnown = found !== undefined && found.liveUntilMs + expiredRetentionMs > now;
    const phase = isKnown && found.liveUntilMs > now ? 'live' : 'past';
    const left = dialled === undefined ? undefined : this.#points.get(resumePointName(key, dialled));
    return {
      kind: 'held',
      lock,
      session: isKnown ? { phase, record: found.record } : undefined,
      resumePoint: left !== undefined && left.untilMs > now ? left.point : undefined,
    };
  }

  async renew(key: SessionKey, lock: string, lockMs: number): Promise<boolean> {
    const now = this.#clock();
    const isHeld = this.#isHeld(sessionName(key), lock, now);
    if (isHeld) this.#locks.set(sessionName(key), { token: lock, untilMs: now + lockMs });
    return isHeld;
  }

  async save(lock: string, record: SessionRecord, liveMs: number, resume?: ResumeUpdate): Promise<boolean> {
    const now = this.#sweep();
    const name = sessionName(record);
    if (!this.#isHeld(name, lock, now)) return false;
    this.#locks.delete(name);
    this.#sessions.delete(name);
    this.#sessions.set(name, { record, liveUntilMs: now + liveMs });
    this.#indexName(name, record.sessionId);
    if (resume !== undefined) this.#saveResumePoint(record, resume, now + liveMs);
    if (this.size > this.#maxSessions) this.#dropSurplus(now);
    return true;
  }

  async release(key: SessionKey, lock: string): Promise<void> {
    const name = sessionName(key);
    if (this.#locks.get(name)?.token === lock) this.#locks.delete(name);
  }

  async findLive(sessionId: string, scopes: readonly string[]): Promise<SessionRecord | undefined> {
    const now = this.#sweep();
    const names = this.#names.get(sessionId) ?? [];
    return (typeof names === 'string' ? [names] : [...names])
      .flatMap((name) => this.#sessions.get(name) ?? [])
      .findLast(({ record, liveUntilMs }) => liveUntilMs > now && scopes.includes(record.aggregator))?.record;
  }

  async listLive(tenant: string): Promise<string[]> {
    return [...new Set(this.#liveOf(tenant).map(({ record }) => record.sessionId))];
  }

  async countLive(tenant: string): Promise<number> {
    return this.#liveOf(tenant).length;
  }

  #liveOf(tenant: string): Entry[] {
    const now = this.#sweep();
    const isLive = ({ record, liveUntilMs }: Entry) => liveUntilMs > now && tenantOf(record.aggregator) === tenant;
    return [...this.#sessions.values()].filter(isLive);
  }

  /** Stored sessions and resume points. */
  get size(): number {
    return this.#sessions.size + this.#points.size;
  }

  #isHeld(name: string, lock: string, now: number): boolean {
    const held = this.#locks.get(name);
    return held?.token === lock && held.untilMs > now;
  }

  #saveResumePoint(record: SessionRecord, { point, retentionMs }: ResumeUpdate, liveUntilMs: number): void {
    const name = resumePointName(record, record.serviceCode);
    if (point === undefined && this.#points.get(name)?.point.sessionId !== record.sessionId) return;
    this.#points.delete(name);
    if (point !== undefined) this.#points.set(name, { point, untilMs: liveUntilMs + retentionMs });
  }

  #indexName(name: string, sessionId: string): void {
    const known = this.#names.get(sessionId) ?? name;
    if (known === name) {
      this.#names.set(sessionId, name);
      return;
    }
    const names = typeof known === 'string' ? new Set([known]) : known;
    names.delete(name);
    this.#names.set(sessionId, names.add(name));
  }

  #drop(name: string, sessionId: string): void {
    this.#sessions.delete(name);
    const names = this.#names.get(sessionId);
    if (names === name || (typeof names === 'object' && names.delete(name) && names.size === 0))
      this.#names.delete(sessionId);
  }

  #dropWhere(isOver: (entry: Entry) => boolean): void {
    for (const [name, entry] of this.#sessions) if (isOver(entry)) this.#drop(name, entry.record.sessionId);
  }

  #sweep(): number {
    const now = this.#clock();
    if (now < this.#sweepAtMs) return now;
    this.#sweepAtMs = now + sweepIntervalMs;
    this.#dropWhere(({ liveUntilMs }) => liveUntilMs + expiredRetentionMs <= now);
    for (const [name, { untilMs }] of this.#points) if (untilMs <= now) this.#points.delete(name);
    return now;
  }

  /** Drops one percent at once, so that a full store does not search at every hop. */
  #dropSurplus(now: number): void {
    const target = this.#maxSessions - Math.floor(this.#maxSessions / 100);
    this.#dropWhere(({ liveUntilMs }) => this.size > target && liveUntilMs <= now);
    for (const name of this.#points.keys()) if (this.size > target) this.#points.delete(name);
    this.#dropWhere(() => this.size > target);
  }
}

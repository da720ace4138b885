import type { SavedKeys } from './redis-session-keys.js';
import type { SessionRecord } from './session-record.js';

export interface KnownSession {
  readonly name: string;
  readonly record: SessionRecord;
  /** The record as it is stored. */
  readonly text: string;
  readonly keys: SavedKeys;
}

interface Kept {
  readonly session: KnownSession;
  readonly endsAtMs: number;
}

/** At 3.0 kB each after six hops they take 7.5 MB. */
const mostKnown = 2500;

/** The live sessions that this process saved last, by name. */
export class KnownSessions {
  /** In the order in which they were saved, so nearly that in which they end. */
  readonly #known = new Map<string, Kept>();
  readonly #now: () => number;

  /** @param now ms of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  find(name: string): KnownSession | undefined {
    return this.#known.get(name)?.session;
  }

  /** Forgets it too. */
  take(name: string): KnownSession | undefined {
    const session = this.find(name);
    this.#known.delete(name);
    return session;
  }

  /** Forgets those before it whose life is over, and what is too much. @param liveMs 0 for one that has ended. */
  remember(session: KnownSession, liveMs: number): void {
    const now = this.#now();
    this.#known.delete(session.name);
    if (liveMs > 0) this.#known.set(session.name, { session, endsAtMs: now + liveMs });
    for (const [name, { endsAtMs }] of this.#known) {
      if (this.#known.size <= mostKnown && endsAtMs > now) return;
      this.#known.delete(name);
    }
  }
}

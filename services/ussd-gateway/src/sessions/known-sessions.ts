import type { SavedKeys } from './redis-session-keys.js';
import type { SessionRecord } from './session-record.js';

export interface KnownSession {
  readonly name: string;
  readonly record: SessionRecord;
  /** The record as it is stored. */
  readonly text: string;
  readonly keys: SavedKeys;
}

/** At 3.0 kB each after six hops they take 7.5 MB. */
const mostKnown = 2500;

/** The live sessions that this process saved last, by name. */
export class KnownSessions {
  readonly #known = new Map<string, KnownSession>();

  find(name: string): KnownSession | undefined {
    return this.#known.get(name);
  }

  /** Forgets it too. */
  take(name: string): KnownSession | undefined {
    const known = this.#known.get(name);
    this.#known.delete(name);
    return known;
  }

  /** @param liveMs 0 for one that has ended. */
  remember(known: KnownSession, liveMs: number): void {
    // That saved last is at the end.
    this.#known.delete(known.name);
    if (liveMs > 0) this.#known.set(known.name, known);
    if (this.#known.size <= mostKnown) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

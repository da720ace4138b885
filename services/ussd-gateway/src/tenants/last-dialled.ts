import type { SessionKey } from '../sessions/session-store.js';

/**
 * Which service was dialled last under an id, by an aggregator and for a number: some aggregators name the code on the dial only. Not asked
 * where there is one service.
 *
 * Guarantees: what was noted or found is found for as long again as a session lives and is known as gone; then it disappears. Space is bounded. A store
 * that cannot be reached rejects.
 */
export interface LastDialled {
  note(key: SessionKey, service: string): Promise<void>;
  find(key: SessionKey): Promise<string | undefined>;
}

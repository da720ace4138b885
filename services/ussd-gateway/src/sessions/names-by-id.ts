import { type SessionKey, sessionName } from './session-store.js';

/** Names of sessions by the id that gateways give them, which several subscribers may share; for each id in the order they were put in. */
export class NamesById {
  readonly #names = new Map<string, Set<string>>();

  /** Puts one in as the last of its id. */
  add(key: SessionKey): void {
    this.drop(key);
    const names = this.#names.get(key.sessionId);
    if (names === undefined) this.#names.set(key.sessionId, new Set([sessionName(key)]));
    else names.add(sessionName(key));
  }

  drop(key: SessionKey): void {
    const names = this.#names.get(key.sessionId);
    if (names?.delete(sessionName(key)) === true && names.size === 0) this.#names.delete(key.sessionId);
  }

  /** The last first. */
  of(sessionId: string): string[] {
    return [...(this.#names.get(sessionId) ?? [])].toReversed();
  }
}

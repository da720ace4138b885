import type { SignArtifact, SignedArtifact } from './wallet.js';

/** Milliseconds of the year 1973: no token expires that early, so a smaller number counts seconds. */
const leastMs = 100_000_000_000;

interface Kept {
  readonly serialized: string;
  readonly freshUntilMs: number;
}

export interface TokenCacheParts {
  readonly sign: SignArtifact;
  readonly nowMs: () => number;
  /** Of the life of a token, what must be left when it is sent. Tokens that live shorter are renewed at half their life. */
  readonly marginMs: number;
}

/**
 * Tokens of one kind and one user, for each oracle. A token is signed when there is none that lasts, and callers that come
 * in the meantime share it. A failure is not kept: the next caller asks the wallet again.
 */
export class TokenCache {
  readonly #parts: TokenCacheParts;
  readonly #kept = new Map<string, Kept>();
  readonly #signing = new Map<string, Promise<string>>();

  constructor(parts: TokenCacheParts) {
    this.#parts = parts;
  }

  /** A valid token for the oracle. Rejects with the wallet's error. */
  async get(oracleDid: string): Promise<string> {
    const kept = this.#kept.get(oracleDid);
    if (kept !== undefined && this.#parts.nowMs() < kept.freshUntilMs) return kept.serialized;
    return this.#signing.get(oracleDid) ?? this.#sign(oracleDid);
  }

  /** When the token that `get` gave last is replaced, Unix time in ms. */
  freshUntilMs(oracleDid: string): number | undefined {
    return this.#kept.get(oracleDid)?.freshUntilMs;
  }

  /** Forgets a token that was refused. One that was signed since then stays. */
  drop(oracleDid: string, serialized: string): void {
    if (this.#kept.get(oracleDid)?.serialized === serialized) this.#kept.delete(oracleDid);
  }

  #sign(oracleDid: string): Promise<string> {
    const startedMs = this.#parts.nowMs();
    const signing = this.#parts.sign(oracleDid).then(
      (artifact) => {
        this.#signing.delete(oracleDid);
        this.#kept.set(oracleDid, this.#keep(artifact, startedMs));
        return artifact.serialized;
      },
      (error: unknown) => {
        this.#signing.delete(oracleDid);
        throw error;
      },
    );
    this.#signing.set(oracleDid, signing);
    return signing;
  }

  #keep({ serialized, expiresAt }: SignedArtifact, startedMs: number): Kept {
    const expiresAtMs = expiresAt < leastMs ? expiresAt * 1_000 : expiresAt;
    const marginMs = Math.min(this.#parts.marginMs, (expiresAtMs - startedMs) / 2);
    return { serialized, freshUntilMs: expiresAtMs - marginMs };
  }
}

import type { SignArtifact, SignedArtifact } from './wallet.js';

/** Milliseconds of the year 1973: no token expires that early, so a smaller number counts seconds. */
const leastMs = 100_000_000_000;

interface CachedToken {
  readonly serialized: string;
  readonly freshUntilMs: number;
}

export interface TokenCacheParts {
  readonly sign: SignArtifact;
  readonly nowMs: () => number;
  /** The remaining life of a token when it is sent. Tokens with a shorter life are renewed at half of it. */
  readonly marginMs: number;
}

/**
 * Tokens of one kind and one user, for each oracle. A token is signed if there is no valid one, and concurrent callers share it.
 * A failure is not cached: the next caller sends a new request to the wallet.
 */
export class TokenCache {
  readonly #parts: TokenCacheParts;
  readonly #cached = new Map<string, CachedToken>();
  readonly #signing = new Map<string, Promise<string>>();

  constructor(parts: TokenCacheParts) {
    this.#parts = parts;
  }

  /** A valid token for the oracle. Rejects with the wallet's error. */
  async get(oracleDid: string): Promise<string> {
    const cached = this.#cached.get(oracleDid);
    if (cached !== undefined && this.#parts.nowMs() < cached.freshUntilMs) return cached.serialized;
    return this.#signing.get(oracleDid) ?? this.#sign(oracleDid);
  }

  /** When the token that `get` gave last is replaced, Unix time in ms. */
  freshUntilMs(oracleDid: string): number | undefined {
    return this.#cached.get(oracleDid)?.freshUntilMs;
  }

  /** Forgets a token that was refused. One that was signed since then stays. */
  drop(oracleDid: string, serialized: string): void {
    if (this.#cached.get(oracleDid)?.serialized === serialized) this.#cached.delete(oracleDid);
  }

  #sign(oracleDid: string): Promise<string> {
    const startedMs = this.#parts.nowMs();
    const signing = this.#parts.sign(oracleDid).then(
      (artifact) => {
        this.#signing.delete(oracleDid);
        this.#cached.set(oracleDid, this.#keep(artifact, startedMs));
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

  #keep({ serialized, expiresAt }: SignedArtifact, startedMs: number): CachedToken {
    const expiresAtMs = expiresAt < leastMs ? expiresAt * 1_000 : expiresAt;
    const marginMs = Math.min(this.#parts.marginMs, (expiresAtMs - startedMs) / 2);
    return { serialized, freshUntilMs: expiresAtMs - marginMs };
  }
}

import type { OracleCredentials, SocketCredentials } from '../identity/oracle-credentials.js';

export interface TokenRenewalParts {
  readonly credentials: Pick<OracleCredentials, 'tokens' | 'renewAtMs'>;
  /** Shows tokens over the socket that is connected. */
  readonly show: (tokens: SocketCredentials) => void;
}

/** Tokens that live very shortly are not shown more often. */
const leastMs = 1_000;
/** Browser timers do not support months; the clock is checked again after this time. */
const mostMs = 3_600_000;
/** Retry interval for a token that the server could not check. Servers accept one in ten seconds. */
const retryMs = 15_000;

/** The tokens of a socket: on connect, and before they expire while connected. */
export class TokenRenewal {
  readonly #parts: TokenRenewalParts;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the last presented token should be replaced. */
  #renewAtMs: number | undefined;
  #isConnected = false;
  #isRefused = false;

  constructor(parts: TokenRenewalParts) {
    this.#parts = parts;
  }

  /** Whether the wallet failed to sign last time; there is no retry. */
  get isRefusedByWallet(): boolean {
    return this.#isRefused;
  }

  /** The token to present. Rejects with the wallet's error. */
  async tokens(): Promise<SocketCredentials> {
    this.#isRefused = true;
    const tokens = await this.#parts.credentials.tokens();
    this.#isRefused = false;
    this.#renewAtMs = this.#parts.credentials.renewAtMs();
    return tokens;
  }

  /** To be called when the socket is connected with the presented credentials. */
  start(): void {
    this.#isConnected = true;
    if (this.#renewAtMs !== undefined) this.#wait(this.#renewAtMs - Date.now());
  }

  /** To be called when it is not any more. */
  stop(): void {
    this.#isConnected = false;
    clearTimeout(this.#timer);
  }

  /** The presented token could not be verified just now. */
  again(): void {
    if (!this.#isConnected) return;
    this.#renewAtMs = Date.now() + retryMs;
    this.#wait(retryMs);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), Math.min(mostMs, Math.max(leastMs, ms)));
  }

  async #look(): Promise<void> {
    if (Date.now() >= (this.#renewAtMs ?? 0)) {
      const tokens = await this.tokens().catch(() => undefined);
      if (tokens === undefined || !this.#isConnected) return;
      this.#parts.show(tokens);
    }
    this.start();
  }
}

import { within } from './within.js';

export type ReadinessCheck = () => Promise<void>;

export interface ReadinessReport {
  readonly ready: boolean;
  /** True from the moment a shutdown began. */
  readonly draining: boolean;
  readonly checks: Readonly<Record<string, 'up' | 'down'>>;
}

/**
 * Whether this process should get traffic. A check passes when its promise resolves within the time limit; checks run
 * side by side, and callers that ask while one round is under way share its result, so probes cannot pile up work.
 */
export class Readiness {
  readonly #checks: Readonly<Record<string, ReadinessCheck>>;
  readonly #timeoutMs: number;
  #draining = false;
  #closing = false;
  #round: Promise<Readonly<Record<string, 'up' | 'down'>>> | undefined;

  /** @param options.timeoutMs time limit of one check, 1,000 ms unless given. */
  constructor(checks: Readonly<Record<string, ReadinessCheck>>, options: { timeoutMs?: number } = {}) {
    this.#checks = checks;
    this.#timeoutMs = options.timeoutMs ?? 1000;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** True when no new connection is accepted any more: callers on open ones are asked to leave. */
  get closing(): boolean {
    return this.#closing;
  }

  /** From now on the report says not ready, whatever the checks say. Requests are served as before. */
  startDraining(): void {
    this.#draining = true;
  }

  /** From now on replies say `Connection: close`. */
  startClosing(): void {
    this.#draining = true;
    this.#closing = true;
  }

  async check(): Promise<ReadinessReport> {
    this.#round ??= this.#runChecks().finally(() => {
      this.#round = undefined;
    });
    const checks = await this.#round;
    const allUp = Object.values(checks).every((state) => state === 'up');
    return { ready: allUp && !this.#draining, draining: this.#draining, checks };
  }

  async #runChecks(): Promise<Readonly<Record<string, 'up' | 'down'>>> {
    const entries = await Promise.all(
      Object.entries(this.#checks).map(async ([name, check]) => [name, await this.#runCheck(check)] as const),
    );
    return Object.fromEntries(entries);
  }

  #runCheck(check: ReadinessCheck): Promise<'up' | 'down'> {
    return within(this.#timeoutMs, 'the check', Promise.resolve().then(check)).then(
      () => 'up' as const,
      () => 'down' as const,
    );
  }
}

import type { Lease, RunRepository } from './run-repository.js';
import type { RunSignals } from './signals.js';
import type { ActiveRun } from './stop.js';

export interface LeaseRenewerParts {
  readonly runRepository: RunRepository;
  readonly signals: RunSignals;
  readonly lease: Lease;
  readonly renewMs: number;
  readonly active: ReadonlyMap<string, ActiveRun>;
  /** Ends orphaned runs. May be slow: leases are renewed meanwhile. */
  readonly recover: () => Promise<void>;
  readonly log: { error(fields: object, text: string): void };
}

/**
 * Renews the leases of this process's runs, passes on stop requests, and starts the recovery of orphaned runs.
 */
export class LeaseRenewer {
  readonly #parts: LeaseRenewerParts;
  #storedTexts: ReadonlyMap<string, string> = new Map();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  readonly #renewing = new CoalescedTask(() => this.#renewOrLog());
  readonly #recovering = new CoalescedTask(() => this.#recoverOrLog());
  /** An outage is logged once. */
  #isFailing = false;
  #isStuck = false;

  constructor(parts: LeaseRenewerParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.renewNow(), parts.renewMs).unref();
    this.#unsubscribe = parts.signals.listen((signal) => {
      const isOfOurs = signal.kind === 'stop' && (signal.runIds?.some((runId) => parts.active.has(runId)) ?? true);
      if (isOfOurs) void this.renewNow();
    });
  }

  /** Renews after the current round. Resolves when leases are renewed. Never rejects. */
  renewNow(): Promise<void> {
    return this.#renewing.request();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#unsubscribe();
    await this.#renewing.idle();
    await this.#recovering.idle();
  }

  async #renewOrLog(): Promise<void> {
    const wasFailing = this.#isFailing;
    try {
      await this.#renew();
      this.#isFailing = false;
    } catch (err) {
      if (!wasFailing) this.#parts.log.error({ err }, 'run leases not renewed');
      this.#isFailing = true;
      return;
    }
    // After an outage each writer gets time to renew before its runs are taken over.
    if (!wasFailing) void this.#recovering.request();
  }

  async #recoverOrLog(): Promise<void> {
    try {
      await this.#parts.recover();
      this.#isStuck = false;
    } catch (err) {
      if (!this.#isStuck) this.#parts.log.error({ err }, 'recovery of orphaned runs failed');
      this.#isStuck = true;
    }
  }

  async #renew(): Promise<void> {
    const turns = [...this.#parts.active.values()];
    if (turns.length === 0) return;
    const texts = new Map(turns.map(({ run, draft }) => [run.runId, draft.content]));
    const running = [...texts].map(([runId, partialText]) =>
      partialText === (this.#storedTexts.get(runId) ?? '') ? { runId } : { runId, partialText },
    );
    const held = await this.#parts.runRepository.renew(this.#parts.lease, running);
    this.#storedTexts = texts;
    const stops = new Map(held.map(({ runId, stop }) => [runId, stop]));
    for (const turn of turns) {
      const { runId } = turn.run;
      if (!this.#parts.active.has(runId)) continue;
      const stop = stops.get(runId);
      if (stop !== undefined) turn.stop(stop);
      else if (!stops.has(runId)) turn.stop('taken_over');
    }
  }
}

/**
 * Coalesces concurrent requests for the same work into one run. A request during a run causes one more run, since the current
 * run may have missed its reason.
 */
export class CoalescedTask {
  readonly #work: () => Promise<void>;
  #isRequested = false;
  #rounds: Promise<void> | undefined;

  /** @param work must not reject. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves when the work requested so far is done. */
  request(): Promise<void> {
    this.#isRequested = true;
    this.#rounds ??= this.#whileRequested();
    return this.#rounds;
  }

  /** Resolves when no work runs. */
  async idle(): Promise<void> {
    await this.#rounds;
  }

  async #whileRequested(): Promise<void> {
    while (this.#isRequested) {
      this.#isRequested = false;
      await this.#work();
    }
    this.#rounds = undefined;
  }
}

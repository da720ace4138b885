import type { Turn } from '../agent/turn.js';
import type { Lease, RunRepository } from './run-repository.js';
import type { RunSignals } from './signals.js';

export interface LeaseKeeperParts {
  readonly register: RunRepository;
  readonly signals: RunSignals;
  readonly lease: Lease;
  readonly renewMs: number;
  readonly active: ReadonlyMap<string, Turn>;
  /** Ends orphaned runs. May be slow: leases are renewed meanwhile. */
  readonly recover: () => Promise<void>;
  readonly log: { error(fields: object, text: string): void };
}

/**
 * Renews the leases of this process's runs, passes on stop requests, and starts the recovery of orphaned runs.
 */
export class LeaseKeeper {
  readonly #parts: LeaseKeeperParts;
  #kept: ReadonlyMap<string, string> = new Map();
  readonly #timer: NodeJS.Timeout;
  readonly #leave: () => void;
  readonly #renewing = new CoalescedTask(() => this.#renewOrSay());
  readonly #recovering = new CoalescedTask(() => this.#recoverOrSay());
  /** An outage is logged once. */
  #isFailing = false;
  #isStuck = false;

  constructor(parts: LeaseKeeperParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.renewNow(), parts.renewMs).unref();
    this.#leave = parts.signals.listen((word) => {
      const isOfOurs = word.kind === 'stop' && (word.runIds?.some((runId) => parts.active.has(runId)) ?? true);
      if (isOfOurs) void this.renewNow();
    });
  }

  /** Renews after the current round. Resolves when leases are renewed. Never rejects. */
  renewNow(): Promise<void> {
    return this.#renewing.request();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#leave();
    await this.#renewing.idle();
    await this.#recovering.idle();
  }

  async #renewOrSay(): Promise<void> {
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

  async #recoverOrSay(): Promise<void> {
    try {
      await this.#parts.recover();
      this.#isStuck = false;
    } catch (err) {
      if (!this.#isStuck) this.#parts.log.error({ err }, 'recovery of orphaned runs failed');
      this.#isStuck = true;
    }
  }

  async #renew(): Promise<void> {
    const asked = [...this.#parts.active.values()];
    if (asked.length === 0) return;
    const texts = new Map(asked.map(({ run, draft }) => [run.runId, draft.content]));
    const running = [...texts].map(([runId, partialText]) =>
      partialText === (this.#kept.get(runId) ?? '') ? { runId } : { runId, partialText },
    );
    const held = await this.#parts.register.renew(this.#parts.lease, running);
    this.#kept = texts;
    const stops = new Map(held.map(({ runId, stop }) => [runId, stop]));
    for (const turn of asked) {
      const { runId } = turn.run;
      if (!this.#parts.active.has(runId)) continue;
      const stop = stops.get(runId);
      if (stop !== undefined) turn.stop(stop);
      else if (!stops.has(runId)) turn.stop('lost');
    }
  }
}

/**
 * Coalesces concurrent requests for the same work into one run. A request during a run causes one more run, since the current
 * run may have missed its reason.
 */
export class CoalescedTask {
  readonly #work: () => Promise<void>;
  #isAsked = false;
  #rounds: Promise<void> | undefined;

  /** @param work must not reject. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves when the work requested so far is done. */
  request(): Promise<void> {
    this.#isAsked = true;
    this.#rounds ??= this.#whileAsked();
    return this.#rounds;
  }

  /** Resolves when no work runs. */
  async idle(): Promise<void> {
    await this.#rounds;
  }

  async #whileAsked(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      await this.#work();
    }
    this.#rounds = undefined;
  }
}

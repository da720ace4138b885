import { within } from '@mlango/async/within';
import { ServiceError } from '@mlango/service-kit/errors';
import type { EffectOutcome } from '../engine/position.js';
import type {
  EffectPlace,
  EffectRequest,
  LeasedEffect,
  RequestingSession,
  StoredEffect,
  Subscriber,
} from './effect.js';
import { allows, isOpen } from './effect-states.js';
import { type EffectRunnerOptions, leaseMs, runLeasedEffect } from './run-leased-effect.js';

/** A request for an effect by a hop. */
export interface EffectToRun {
  readonly subscriber: Subscriber;
  readonly place: EffectPlace;
  readonly request: EffectRequest;
  /** Absent if no session requests it. */
  readonly session?: RequestingSession;
}

/**
 * The outcome of an effect is shown for this long after its end, at a new dial or a repeated request: the caller may
 * return the next morning, and must not pay twice.
 */
export const unshownOutcomeMs = 24 * 3_600_000;

/** Interval at which a waiting hop polls an effect that another process runs. */
const pollMs = 250;

/** Most concurrent effects of one process. */
const mostRunning = 1000;

/**
 * Runs each effect once: the request is stored before, the outcome after, and a repeated request, in any process, gets
 * that outcome. A hop waits for it within its time limit; the effect continues without the hop.
 */
export class EffectRunner {
  readonly #options: EffectRunnerOptions;
  readonly #running = new Map<string, Promise<EffectOutcome | undefined>>();
  readonly #acknowledging = new Set<Promise<void>>();

  constructor(options: EffectRunnerOptions) {
    this.#options = options;
  }

  /**
   * Requests an effect and waits for its outcome, which is undefined if that takes longer. If the subscriber has a
   * pending effect of the same kind, that one is awaited instead.
   *
   * @throws {ServiceError} `unavailable` if too many are running; errors of the store. No effect is started then.
   */
  async act({ subscriber, place, request, session }: EffectToRun, waitMs: number): Promise<StoredEffect> {
    if (this.#running.size >= mostRunning) throw new ServiceError('unavailable', 'Too many effects are under way');
    const { store, seal } = this.#options;
    const { key, effect, language, account, entries, secret } = request;
    const input = { language, account, entries, with: request.with, secret };
    const begun = await store.begin(
      { key, subscriber, effect, place, ...seal.seal(key, input) },
      { leaseMs, unshownMs: unshownOutcomeMs, session },
    );
    if (begun.kind === 'known') return this.#join(begun.effect, waitMs);
    return this.#wait({ key, place, state: 'running', outcome: undefined }, this.#start(begun.leased, request), waitMs);
  }

  /** Polls a pending effect, and runs it if no process does. Undefined if it is unknown. */
  async poll(key: string, waitMs: number): Promise<StoredEffect | undefined> {
    const known = await this.#options.store.find(key);
    return known && this.#join(known, waitMs);
  }

  /** The subscriber saw the outcome. Never rejects: if this cannot be stored, the outcome is shown once more. */
  acknowledge(key: string, sessionId: string): Promise<void> {
    const { store, logger } = this.#options;
    const acknowledged = store
      .acknowledge(key, sessionId)
      .catch((error: unknown) => logger.warn({ err: error }, 'shown outcome not recorded, will be shown again'))
      .finally(() => this.#acknowledging.delete(acknowledged));
    this.#acknowledging.add(acknowledged);
    return acknowledged;
  }

  /** Runs effects that are due and have no lease. */
  async resumeDue(limit: number): Promise<void> {
    const room = Math.min(limit, mostRunning - this.#running.size);
    if (room <= 0) return;
    const { store, effects } = this.#options;
    for (const leased of await store.leaseDue(Object.keys(effects), room, leaseMs)) void this.#start(leased);
  }

  /** Waits for running effects and for pending acknowledgements. */
  async idle(): Promise<void> {
    while (this.#running.size + this.#acknowledging.size > 0)
      await Promise.all([...this.#running.values(), ...this.#acknowledging]);
  }

  async #join(stored: StoredEffect, waitMs: number): Promise<StoredEffect> {
    const { key } = stored;
    const untilMs = performance.now() + waitMs;
    for (let known = stored; ; ) {
      if (!isOpen(known.state)) return known;
      const isFree = !this.#running.has(key) && allows(known.state, 'leased');
      const leased = isFree ? await this.#options.store.lease(key, leaseMs) : undefined;
      const running = leased === undefined ? this.#running.get(key) : this.#start(leased);
      const leftMs = untilMs - performance.now();
      if (running !== undefined) return this.#wait(known, running, leftMs);
      if (leftMs <= 0) return known;
      // Another process runs it, or did until it crashed.
      await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, pollMs)));
      const found = await this.#options.store.find(key);
      if (found === undefined) return known;
      known = found;
    }
  }

  async #wait(known: StoredEffect, running: Promise<EffectOutcome | undefined>, waitMs: number): Promise<StoredEffect> {
    const limited = within(Math.max(0, waitMs), 'an effect', running);
    const outcome = await limited.catch(() => undefined);
    return outcome === undefined ? known : { ...known, state: 'settled', outcome };
  }

  /** Never rejects: undefined if the outcome is unknown. */
  #start(leased: LeasedEffect, request?: EffectRequest): Promise<EffectOutcome | undefined> {
    const running = runLeasedEffect(leased, request, this.#options).finally(() => this.#running.delete(leased.key));
    this.#running.set(leased.key, running);
    return running;
  }
}

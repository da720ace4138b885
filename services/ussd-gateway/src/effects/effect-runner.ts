import { ServiceError } from '@mlango/service-kit/errors';
import { within } from '@mlango/service-kit/within';
import type { EffectOutcome } from '../engine/position.js';
import type { EffectRequest } from './effect.js';
import type { IntentPlace, Subscriber } from './intent.js';
import type { KnownIntent, LeasedIntent } from './intent-store.js';
import { type EffectRunnerOptions, leaseMs, runLeasedEffect } from './retry.js';

/** An effect as a hop asks for it. */
export interface EffectToRun {
  readonly subscriber: Subscriber;
  readonly place: IntentPlace;
  readonly request: EffectRequest;
}

/**
 * What became of an effect is told to who dials again, or asks for the same, for so long after its end: whoever did not see it may well
 * come back the next morning, and must not be invited to pay again.
 */
export const tellMs = 24 * 3_600_000;

/** What another process runs is looked at so often while a hop waits for it. */
const lookAgainMs = 250;

/** Effects under way in one process. */
const mostRunning = 1000;

/**
 * Lets effects happen once: the intent is stored before, the outcome after, and whoever asks for the same again, in this process or another,
 * gets that outcome. A hop waits for it as long as it can; the effect goes on without it.
 */
export class EffectRunner {
  readonly #options: EffectRunnerOptions;
  readonly #running = new Map<string, Promise<EffectOutcome | undefined>>();
  readonly #noting = new Set<Promise<void>>();

  constructor(options: EffectRunnerOptions) {
    this.#options = options;
  }

  /**
   * Asks for an effect and waits for its outcome, which is undefined if that takes longer. Where the subscriber has one of the same kind under
   * way already, it is that one that is waited for.
   *
   * @throws {ServiceError} `unavailable` with too many under way; whatever the store rejects with. Nothing happens then.
   */
  async act({ subscriber, place, request }: EffectToRun, waitMs: number): Promise<KnownIntent> {
    if (this.#running.size >= mostRunning) throw new ServiceError('unavailable', 'Too many effects are under way');
    const { store, seal } = this.#options;
    const { key, effect, language, account, entries, secret } = request;
    const input = { language, account, entries, with: request.with, secret };
    const begun = await store.begin({ key, subscriber, effect, place, ...seal.seal(key, input) }, { leaseMs, tellMs });
    if (begun.kind === 'known') return this.#join(begun.intent, waitMs);
    const outcome = await waitFor(this.#start(begun.leased, request), waitMs);
    return { key, place, outcome };
  }

  /** Looks again at one that is under way, and runs it where nobody does any more. Undefined if it is not known. */
  async poll(key: string, waitMs: number): Promise<KnownIntent | undefined> {
    const known = await this.#options.store.find(key);
    return known && this.#join(known, waitMs);
  }

  /** The subscriber saw the outcome. Never rejects: if it could not be noted, it is told once more. */
  acknowledge(key: string): Promise<void> {
    const { store, logger } = this.#options;
    const noted = store
      .acknowledge(key)
      .catch((error: unknown) => logger.warn({ err: error }, 'shown outcome not recorded, will be shown again'))
      .finally(() => this.#noting.delete(noted));
    this.#noting.add(noted);
    return noted;
  }

  /** Runs those that are due and that no process runs. */
  async resumeDue(limit: number): Promise<void> {
    const room = Math.min(limit, mostRunning - this.#running.size);
    if (room <= 0) return;
    const { store, effects } = this.#options;
    for (const leased of await store.leaseDue(Object.keys(effects), room, leaseMs)) void this.#start(leased);
  }

  /** Waits for those under way, and until it is noted what was told. */
  async idle(): Promise<void> {
    while (this.#running.size + this.#noting.size > 0) await Promise.all([...this.#running.values(), ...this.#noting]);
  }

  async #join(known: KnownIntent, waitMs: number): Promise<KnownIntent> {
    const { key } = known;
    if (known.outcome !== undefined) return known;
    const untilMs = performance.now() + waitMs;
    for (;;) {
      const leased = this.#running.has(key) ? undefined : await this.#options.store.lease(key, leaseMs);
      const running = leased === undefined ? this.#running.get(key) : this.#start(leased);
      const leftMs = untilMs - performance.now();
      if (running !== undefined) return { ...known, outcome: await waitFor(running, leftMs) };
      if (leftMs <= 0) return known;
      // Another process runs it, or did until it died.
      await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, lookAgainMs)));
      const now = await this.#options.store.find(key);
      if (now === undefined || now.outcome !== undefined) return now ?? known;
    }
  }

  /** Never rejects: undefined where nobody knows yet. */
  #start(leased: LeasedIntent, request?: EffectRequest): Promise<EffectOutcome | undefined> {
    const running = runLeasedEffect(leased, request, this.#options).finally(() => this.#running.delete(leased.key));
    this.#running.set(leased.key, running);
    return running;
  }
}

/** What comes in time. */
function waitFor<Value>(coming: Promise<Value | undefined>, waitMs: number): Promise<Value | undefined> {
  return within(Math.max(0, waitMs), 'an effect', coming).catch(() => undefined);
}

import type { Logger } from '@mlango/service-kit/logging';
import type { EffectOutcome } from '../engine/position.js';
import { tenantOf } from '../session-scope.js';
import type { EffectRequest, RunEffect } from './effect.js';
import { contradicted, differ, type LeasedEffect } from './effect.js';
import type { EffectStore } from './effect-store.js';
import { endOfFailed, endOfPending, type RunEnd } from './retry.js';
import type { InputSeal } from './sealed-input.js';

export interface EffectRunnerOptions {
  readonly store: EffectStore;
  readonly effects: Readonly<Record<string, RunEffect>>;
  readonly seal: InputSeal;
  readonly logger: Logger;
}

/** A lease lasts this long; a running process renews it three times in that time. */
export const leaseMs = 3000;

/** The lease is not renewed for longer than this; then the effect is called again with the same key. */
const longestRunMs = 600_000;

/** How often storing an outcome is tried, with a pause between. */
const settleTries = 5;
const settlePauseMs = 1000;

/**
 * Runs one effect under the lease of this process. Never rejects: undefined if the outcome is not known yet and a retry
 * is due.
 *
 * @param request the original request; without it the sealed input is opened.
 */
export async function runLeasedEffect(
  leased: LeasedEffect,
  request: EffectRequest | undefined,
  options: EffectRunnerOptions,
): Promise<EffectOutcome | undefined> {
  const { store, logger } = options;
  const { effect: name, tries } = leased;
  const renewing = renew(leased, store);
  let isAnswered = false;
  try {
    const effect = options.effects[name];
    if (effect === undefined) throw new Error(`there is no effect "${name}"`);
    const answer = await effect(request ?? requestOf(leased, options.seal), leased);
    isAnswered = true;
    if (!('pending' in answer)) return await settle(leased, answer, options);
    await endRun(leased, endOfPending(leased, answer), options);
  } catch (error) {
    const end = endOfFailed(leased, error);
    const failure = isAnswered ? 'effect answer not stored' : 'effect result unknown';
    const next = end.event === 'gaveUp' ? '' : ', will retry with the same key';
    logger.warn({ err: error, effect: name, tries }, `${failure}${next}`);
    // If the store fails too, the lease expires and another process retries.
    await endRun(leased, end, options).catch(() => {});
  } finally {
    clearInterval(renewing);
  }
  return undefined;
}

function requestOf(leased: LeasedEffect, seal: InputSeal): EffectRequest {
  const { key, effect, aggregator, phoneNumber, sealedInput, place } = leased;
  const { language, entries = {} } = place.position;
  const input = { language, entries, with: {}, account: undefined, secret: undefined };
  const service = tenantOf(aggregator);
  return { ...(sealedInput === undefined ? input : seal.open(key, sealedInput)), key, effect, phoneNumber, service };
}

function renew(leased: LeasedEffect, store: EffectStore): NodeJS.Timeout {
  let left = longestRunMs / (leaseMs / 3);
  const timer = setInterval(() => {
    left -= 1;
    if (left <= 0) clearInterval(timer);
    // A failed renewal is tried again at the next interval.
    else void store.renew(leased, leaseMs).catch(() => {});
  }, leaseMs / 3);
  return timer.unref();
}

/** Stores the outcome, with several tries: the effect has happened. */
async function settle(
  leased: LeasedEffect,
  outcome: EffectOutcome,
  options: EffectRunnerOptions,
): Promise<EffectOutcome> {
  const { store, logger } = options;
  const { key, effect } = leased;
  for (let tries = 1; ; tries++) {
    try {
      const stored = await store.settle(key, outcome, 'answered');
      const results = { stored: stored.result, answered: outcome.result };
      if (differ(stored, outcome)) logger.error({ effect, intent: key, ...results }, contradicted);
      return stored;
    } catch (error) {
      if (tries === settleTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, settlePauseMs).unref());
    }
  }
}

/** Ends a run without an outcome: `retry.ts` decides when the effect is called again. */
function endRun(leased: LeasedEffect, end: RunEnd, { store, logger }: EffectRunnerOptions): Promise<void> {
  const { effect, key, tries } = leased;
  if (end.event === 'gaveUp') logger.error({ effect, intent: key, tries }, 'effect abandoned, its result is unknown');
  return store.endRun(leased, end);
}

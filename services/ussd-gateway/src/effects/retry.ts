import type { Logger } from '@mlango/service-kit/logging';
import type { EffectOutcome } from '../engine/position.js';
import { tenantOf } from '../sessions/session-scope.js';
import type { Effect, EffectRequest } from './effect.js';
import { contradicted, differ } from './intent.js';
import type { IntentStore, LeasedIntent } from './intent-store.js';
import type { InputSeal } from './sealed-input.js';

export interface EffectRunnerOptions {
  readonly store: IntentStore;
  readonly effects: Readonly<Record<string, Effect>>;
  readonly seal: InputSeal;
  readonly logger: Logger;
}

/** A process that died is known to have after so long; who works renews its lease three times within. */
export const leaseMs = 3000;

/** An effect that has not answered by then loses its lease: it is called again, with the same key. */
const longestRunMs = 600_000;

/** How long nobody may know what became of an effect until it is given up. */
const patienceMs = 24 * 3_600_000;

/** What did not say what became of it is called again after this, twice as long each time up to the longest. */
const firstPauseMs = 500;
const longestPauseMs = 300_000;

/** What answered `pending` is asked again after this, if it does not say when. */
const askAgainInMs = 5000;

/** So often an outcome is brought to a store that does not take it, with a pause between. */
const settleTries = 5;
const settlePauseMs = 1000;

/**
 * Runs one effect that this process has the lease of. Never rejects: undefined where its outcome is not known yet, and somebody is to call
 * it again.
 *
 * @param request what it was asked for with, where that is at hand; else the sealed one is opened.
 */
export async function runLeasedEffect(
  leased: LeasedIntent,
  request: EffectRequest | undefined,
  options: EffectRunnerOptions,
): Promise<EffectOutcome | undefined> {
  const { store, logger } = options;
  const { effect: name, tries } = leased;
  const renewing = renew(leased, store);
  try {
    const effect = options.effects[name];
    if (effect === undefined) throw new Error(`there is no effect "${name}"`);
    const answer = await effect(request ?? requestOf(leased, options.seal), leased);
    if (!('pending' in answer)) return await keep(leased, answer, options);
    await leave(leased, answer.askAgainInMs ?? askAgainInMs, options);
  } catch (error) {
    logger.warn(
      { err: error, effect: name, tries },
      'what became of an effect is not known: it is called again with its key',
    );
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(tries, 20));
    // Should this fail as well, its lease runs out.
    await leave(leased, pauseMs, options).catch(() => {});
  } finally {
    clearInterval(renewing);
  }
  return undefined;
}

function requestOf(leased: LeasedIntent, seal: InputSeal): EffectRequest {
  const { key, effect, aggregator, phoneNumber, sealedInput, place } = leased;
  const { language, entries = {} } = place.position;
  const known = { language, entries, with: {}, account: undefined, secret: undefined };
  const service = tenantOf(aggregator);
  return { ...(sealedInput === undefined ? known : seal.open(key, sealedInput)), key, effect, phoneNumber, service };
}

function renew(leased: LeasedIntent, store: IntentStore): NodeJS.Timeout {
  let left = longestRunMs / (leaseMs / 3);
  const timer = setInterval(() => {
    left -= 1;
    if (left <= 0) clearInterval(timer);
    // A store that is away now may be there for the next.
    else void store.renew(leased, leaseMs).catch(() => {});
  }, leaseMs / 3);
  return timer.unref();
}

/** The effect has happened: its outcome is worth some waiting. */
async function keep(
  leased: LeasedIntent,
  outcome: EffectOutcome,
  options: EffectRunnerOptions,
): Promise<EffectOutcome> {
  const { store, logger } = options;
  const { key: intent, effect } = leased;
  for (let tries = 1; ; tries++) {
    try {
      const kept = await store.settle(intent, outcome);
      const ends = { kept: kept.result, told: outcome.result };
      if (differ(kept, outcome)) logger.error({ effect, intent, ...ends }, contradicted);
      return kept;
    } catch (error) {
      if (tries === settleTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, settlePauseMs).unref());
    }
  }
}

/** Lets go of one whose outcome is not known: to be called again after a pause, or, after a day, by nobody. */
async function leave(leased: LeasedIntent, pauseMs: number, { store, logger }: EffectRunnerOptions): Promise<void> {
  const { effect, key, tries, ageMs } = leased;
  if (ageMs <= patienceMs) return store.putOff(leased, pauseMs);
  logger.error({ effect, intent: key, tries }, 'an effect is given up: nobody knows what became of it');
  return store.giveUp(leased);
}

import { type LeasedEffect, type Pending, UnusableRequest } from './effect.js';
import type { EffectEvent } from './effect-states.js';

// When an effect without an outcome is called again, with the same key, and when it is abandoned. `resume-effects.ts` finds the due ones.

/** An effect with an unknown result is abandoned after this time. A webhook gives up earlier (`retryForSeconds`), as does a message. */
const patienceMs = 24 * 3_600_000;

/** Half of the pause before the first retry after a failure; the pause doubles with each try up to the longest. */
const basePauseMs = 500;
const longestPauseMs = 300_000;

/** The pause before a pending effect is polled, unless its answer names another. */
const defaultPollMs = 5000;

/** The end of a run without an outcome: the effect is due after the pause, or abandoned. */
export interface RunEnd {
  readonly event: Extract<EffectEvent, 'postponed' | 'failed' | 'gaveUp'>;
  readonly pauseMs: number;
}

type Attempt = Pick<LeasedEffect, 'tries' | 'ageMs'>;

const abandoned: RunEnd = { event: 'gaveUp', pauseMs: 0 };

/** After a call with an unknown result: the pause grows with each try. */
export function endOfFailed(attempt: Attempt, error?: unknown): RunEnd {
  if (error instanceof UnusableRequest) return abandoned;
  const pauseMs = Math.min(longestPauseMs, basePauseMs * 2 ** Math.min(attempt.tries, 20));
  return orAbandoned(attempt, { event: 'failed', pauseMs });
}

/** After an answer that the external system needs time. */
export function endOfPending(attempt: Attempt, { retryInMs = defaultPollMs }: Pending): RunEnd {
  return orAbandoned(attempt, { event: 'postponed', pauseMs: retryInMs });
}

function orAbandoned({ ageMs }: Attempt, end: RunEnd): RunEnd {
  return ageMs <= patienceMs ? end : abandoned;
}

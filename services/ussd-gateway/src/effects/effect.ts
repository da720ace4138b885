import type { Facts } from '../engine/flow.js';
import type { EffectOutcome } from '../engine/position.js';
import type { LeasedIntent } from './intent-store.js';

/** A request of a screen, executed once. */
export interface EffectRequest {
  readonly effect: string;
  /** The same at every attempt for one input, and unique to it. */
  readonly key: string;
  /** E.164. */
  readonly phoneNumber: string;
  /** Id of the dialled service. */
  readonly service: string;
  readonly language: string;
  /** Customer id of a logged-in subscriber. */
  readonly account: string | undefined;
  /** Values typed or found out before, by name. */
  readonly entries: Facts;
  /** Values set by the key. */
  readonly with: Facts;
  /** The typed secret of a screen. Must never be stored, logged or sent. */
  readonly secret: string | undefined;
}

/** The outcome is unknown: the effect is called again with the same key. */
export interface Pending {
  readonly pending: true;
  /** Delay until the next call, in ms. Default 5000. */
  readonly askAgainInMs?: number;
}

/**
 * Changes state outside of the session. It may be called again with the same key after it threw, answered `pending`, or
 * its process crashed; it must not act twice for one key. `once` guarantees this for changes in this database; external
 * systems receive the key.
 *
 * @throws if the outcome is unknown: it is called again. A refusal is a result, not an error.
 */
export type Effect = (request: EffectRequest, leased: LeasedIntent) => Promise<EffectOutcome | Pending>;

/** A check, which may count its attempts: a repeated call with the same key costs nothing and returns the same result. */
export type RunCheck = (request: EffectRequest) => Promise<EffectOutcome>;

/**
 * The states of an effect. `stored`: the request is saved and no process runs it. `running`: one process holds the lease. `pending`: the
 * external system answered that it needs time. `uncertain`: the call failed, and its result is unknown. `settled`: the outcome is stored.
 * `shown`: the subscriber saw the outcome. `abandoned`: the result stayed unknown for a day, and no process tries again.
 */
export const effectStates = ['stored', 'running', 'pending', 'uncertain', 'settled', 'shown', 'abandoned'] as const;
export type EffectState = (typeof effectStates)[number];

/**
 * Events of an effect. `reported` is an outcome of a callback; `corrected` is a definite outcome after `unanswered`,
 * the only outcome that is replaced.
 */
export type EffectEvent =
  | 'leased'
  | 'leaseExpired'
  | 'answered'
  | 'postponed'
  | 'failed'
  | 'patienceEnded'
  | 'reported'
  | 'corrected'
  | 'acknowledged';

/** Every allowed transition. The store executes each in one atomic statement; ARCHITECTURE.md has the same table. */
export const transitions: Readonly<Record<EffectState, Readonly<Partial<Record<EffectEvent, EffectState>>>>> = {
  stored: { leased: 'running', reported: 'settled' },
  running: {
    leaseExpired: 'stored',
    answered: 'settled',
    postponed: 'pending',
    failed: 'uncertain',
    patienceEnded: 'abandoned',
    reported: 'settled',
  },
  pending: { leased: 'running', reported: 'settled' },
  uncertain: { leased: 'running', reported: 'settled' },
  // A second outcome changes nothing: the first one stays.
  settled: { answered: 'settled', reported: 'settled', corrected: 'settled', acknowledged: 'shown' },
  shown: { answered: 'shown', reported: 'shown', corrected: 'settled', acknowledged: 'shown' },
  abandoned: { reported: 'settled', answered: 'settled' },
};

/** @throws {Error} if the table has no such transition. */
export function nextState(state: EffectState, event: EffectEvent): EffectState {
  const next = transitions[state][event];
  if (next === undefined) throw new Error(`An effect that is ${state} cannot be ${event}`);
  return next;
}

import type { Facts } from '../engine/flow.js';
import type { EffectOutcome } from '../engine/position.js';
import type { LeasedIntent } from './intent-store.js';

/** What a screen asks for, once. */
export interface EffectRequest {
  readonly effect: string;
  /** The same at every try of what one input asked for, and of nothing else. */
  readonly key: string;
  /** E.164. */
  readonly phoneNumber: string;
  /** The id of the service that was dialled. */
  readonly service: string;
  readonly language: string;
  /** The customer id of a subscriber who is logged in. */
  readonly account: string | undefined;
  /** What was typed or found out before, by name. */
  readonly entries: Facts;
  /** What the key itself says. */
  readonly with: Facts;
  /** What was typed on a screen that asks for a secret. Never to be kept, logged or told. */
  readonly secret: string | undefined;
}

/** Not known yet what became of it: it is to be asked again, with the same key. */
export interface Pending {
  readonly pending: true;
  /** How long to wait until then, in ms. Default 5000. */
  readonly askAgainInMs?: number;
}

/**
 * Changes something outside of the session. It may be called again with the same key, after it threw, answered `pending`, or its process
 * died: what happened under that key must not happen twice. `once` does so for what is in this database; elsewhere the key goes along.
 *
 * @throws when nobody knows whether it happened: it is called again until it says so. What was refused is a result, not an error.
 */
export type Effect = (request: EffectRequest, leased: LeasedIntent) => Promise<EffectOutcome | Pending>;

/** Finds out something, and may count that it was asked: asked again with the same key it costs nothing and says the same. */
export type RunCheck = (request: EffectRequest) => Promise<EffectOutcome>;

/**
 * The states of an effect. `stored`: the request is saved and no process runs it. `running`: one process holds the lease. `pending`: the
 * external system answered that it needs time. `uncertain`: the call failed, and its result is unknown. `settled`: the outcome is stored.
 * `shown`: the subscriber saw the outcome. `abandoned`: the result stayed unknown for a day, and no process tries again.
 */
export const effectStates = ['stored', 'running', 'pending', 'uncertain', 'settled', 'shown', 'abandoned'] as const;
export type EffectState = (typeof effectStates)[number];

/**
 * What can happen to an effect. `reported` is an outcome that comes from a callback; `corrected` is a definite outcome after `unanswered`, the
 * one outcome that another one replaces.
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

/** Every allowed transition. The store carries each of them out in one atomic statement; ARCHITECTURE.md shows the same table. */
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

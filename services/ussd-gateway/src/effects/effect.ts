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

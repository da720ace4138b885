import { z } from 'zod';
import { call } from '../engine/declarations.js';
import { type EffectOutcome, position } from '../engine/position.js';
import { messageText } from '../engine/texts.js';
import { flowName } from '../sessions/session-record.js';

/** Owner of an effect: the caller of this code through this aggregator, to whom its outcome is shown. */
export interface Subscriber {
  /** Id of the aggregator. */
  readonly aggregator: string;
  /** E.164. */
  readonly phoneNumber: string;
  readonly serviceCode: string;
}

/** Screen and trigger of the request: enough to continue from there with the outcome. Contains no secret. */
export const intentPlace = z
  .object({
    flow: flowName,
    /** Nonce of the session's dial: that session continues at the outcome's target, others show the outcome. */
    nonce: z.string(),
    position,
    by: z.string(),
    /** Declaration of the webhook call at the time of the request, independent of later flows. */
    call: call.optional(),
    /** The message that each outcome starts. */
    messages: z.record(z.string(), messageText).optional(),
    /** For a message: its text, with the facts of the outcome before it. */
    message: messageText.optional(),
  })
  .readonly();
export type IntentPlace = z.infer<typeof intentPlace>;

/** Log line for two different definite outcomes. */
export const contradicted = 'an outcome contradicts the one that is kept: somebody has to look';

/** Result of an act without an answer. It is not definite: a definite outcome replaces it. */
export const unanswered = 'unanswered';

/** Value of a fact that an outcome does not have. */
export const missingFact = '-';

/** Whether two definite outcomes differ. A fact missing in one of them is no difference. */
export function differ(one: EffectOutcome, other: EffectOutcome): boolean {
  if (one.result === unanswered || other.result === unanswered) return false;
  const { facts: known = {} } = one;
  const { facts: told = {} } = other;
  const names = Object.keys(known).filter((name) => Object.hasOwn(told, name));
  const areKnown = (name: string) => known[name] !== missingFact && told[name] !== missingFact;
  return one.result !== other.result || names.some((name) => areKnown(name) && known[name] !== told[name]);
}

/** A request for an effect that runs once. */
export interface Intent {
  /** Derived from the session's dial and the number of its hop. The effect receives it at every attempt. */
  readonly key: string;
  readonly subscriber: Subscriber;
  readonly effect: string;
  readonly place: IntentPlace;
  /** Input of the request, sealed, until the outcome is known. */
  readonly sealedInput: string;
  /** Keyed, so that it reveals no PIN: requests can be compared after the input is deleted. */
  readonly inputDigest: string;
}

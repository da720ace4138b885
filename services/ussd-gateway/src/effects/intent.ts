import { z } from 'zod';
import { call } from '../engine/declarations.js';
import { type EffectOutcome, position } from '../engine/position.js';
import { messageText } from '../engine/texts.js';
import { flowName } from '../sessions/session-record.js';

/** Whose effect it is: who dials this code by this aggregator is told of it. */
export interface Subscriber {
  /** The id of the aggregator. */
  readonly aggregator: string;
  /** E.164. */
  readonly phoneNumber: string;
  readonly serviceCode: string;
}

/** The screen that asked, and what on it did: enough to go on from there once the outcome is known. Holds no secret. */
export const intentPlace = z
  .object({
    flow: flowName,
    /** Of the session's dial: that session goes on where the outcome leads, others are told of it. */
    nonce: z.string(),
    position,
    by: z.string(),
    /** Whom it is handed to, where that is a webhook: as it was declared then, whatever becomes of the flow. */
    call: call.optional(),
    /** The message that each outcome brings about. */
    messages: z.record(z.string(), messageText).optional(),
    /** Of a message: what it says, with the facts that the outcome before it told. */
    message: messageText.optional(),
  })
  .readonly();
export type IntentPlace = z.infer<typeof intentPlace>;

/** What the log says where two tell of different ends. */
export const contradicted = 'an outcome contradicts the one that is kept: somebody has to look';

/** The result of an act that nobody answered for. It is not definite: a definite outcome replaces it. */
export const unanswered = 'unanswered';

/** The value of a fact that an outcome does not have. */
export const missingFact = '-';

/** Whether two definite outcomes differ. A fact that one of them does not have is no difference. */
export function differ(one: EffectOutcome, other: EffectOutcome): boolean {
  if (one.result === unanswered || other.result === unanswered) return false;
  const { facts: known = {} } = one;
  const { facts: told = {} } = other;
  const names = Object.keys(known).filter((name) => Object.hasOwn(told, name));
  const areKnown = (name: string) => known[name] !== missingFact && told[name] !== missingFact;
  return one.result !== other.result || names.some((name) => areKnown(name) && known[name] !== told[name]);
}

/** An effect that is to happen once. */
export interface Intent {
  /** Made of the session's dial and the number of its hop. The effect gets it at every try. */
  readonly key: string;
  readonly subscriber: Subscriber;
  readonly effect: string;
  readonly place: IntentPlace;
  /** What it was asked for with, sealed, until the outcome is known. */
  readonly sealedInput: string;
  /** Keyed, so that it tells nothing of a PIN: what was asked for can be compared after the input is forgotten. */
  readonly inputDigest: string;
}

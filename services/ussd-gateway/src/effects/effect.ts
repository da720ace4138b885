import { z } from 'zod';
import { call } from '../engine/declarations.js';
import type { Facts } from '../engine/flow.js';
import { type EffectOutcome, flowName, position } from '../engine/position.js';
import { messageText } from '../engine/texts.js';
import type { EffectState } from './effect-states.js';

/** Effects are stored for this long after their end. */
export const effectRetentionMs = 7 * 24 * 3_600_000;

/** Effect of messages started by outcomes. */
export const messageEffect = 'message';

/** Effect of showing a menu on a phone that has not dialled. */
export const pushEffect = 'push';

/** Suffix of an effect's key that gives the key of its message. */
export const messageSuffix = '.message';

/** Owner of an effect: the caller of this code through this aggregator, to whom its outcome is shown. */
export interface Subscriber {
  /** Scope that the subscriber dialled: aggregator and tenant (`session-scope.ts`). */
  readonly aggregator: string;
  /** E.164. */
  readonly phoneNumber: string;
  readonly serviceCode: string;
}

/** Screen and trigger of the request: enough to continue from there with the outcome. Contains no secret. */
export const effectPlace = z
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
export type EffectPlace = z.infer<typeof effectPlace>;

/** A request for an effect that runs once. */
export interface NewEffect {
  /** Derived from the session's dial and the number of its hop. The effect receives it at every attempt; in logs and for webhooks it is the `intent`. */
  readonly key: string;
  readonly subscriber: Subscriber;
  readonly effect: string;
  readonly place: EffectPlace;
  /** Input of the request, sealed, until the outcome is known. */
  readonly sealedInput: string;
  /** Keyed, so that it reveals no PIN: requests can be compared after the input is deleted. */
  readonly inputDigest: string;
}

/** An effect with its state and its outcome. */
export interface StoredEffect {
  readonly key: string;
  readonly place: EffectPlace;
  readonly state: EffectState;
  /** Undefined until it is known. */
  readonly outcome: EffectOutcome | undefined;
}

/** The right of one process to run an effect. */
export interface Lease {
  readonly key: string;
  /** Number of leases, including this one: identifies the lease. */
  readonly tries: number;
}

/** Data needed to run an effect. */
export interface LeasedEffect extends Lease, Pick<NewEffect, 'effect' | 'place'> {
  /** Undefined if an outcome started it: its input is in `place`. */
  readonly sealedInput: string | undefined;
  /** Scope that the subscriber dialled (`session-scope.ts`). */
  readonly aggregator: string;
  readonly phoneNumber: string;
  /** Age of the effect, in ms. */
  readonly ageMs: number;
  /** Undefined if the message was certainly not sent. */
  readonly send: MessageSend | undefined;
}

/** A send to a provider that does not detect repeats. */
export interface MessageSend {
  /** Time since the send, in ms. */
  readonly agoMs: number;
  /** Reference of the provider; undefined until its acceptance is known. */
  readonly reference: string | undefined;
}

/** A session that requests an effect. */
export interface RequestingSession {
  readonly sessionId: string;
  /** Keys of the effects with outcomes that it has shown, by its record. A failover can restore an older record, or none. */
  readonly shownEffects: readonly string[];
  /** How long its record is stored after its end, in ms. For so long a shown outcome without a record blocks an equal effect. */
  readonly retentionMs: number;
}

export interface BeginRules {
  readonly leaseMs: number;
  /** Time after its end during which an outcome that was not shown blocks a new effect. */
  readonly unshownMs: number;
  /** Undefined if no session requests it. */
  readonly session: RequestingSession | undefined;
}

export type Begun =
  | { readonly kind: 'begun'; readonly leased: LeasedEffect }
  /** This effect exists; or an effect of the same name and subscriber is not finished, or its outcome may not have been seen. */
  | { readonly kind: 'known'; readonly effect: StoredEffect };

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
  readonly retryInMs?: number;
}

/** The request lacks an input that its effect needs, and nothing was done: a fault of the flow, which no retry mends. */
export class UnusableRequest extends Error {
  override readonly name = 'UnusableRequest';
}

/**
 * Changes state outside of the session. It may be called again with the same key after it threw, answered `pending`, or
 * its process crashed; it must not act twice for one key. `once` guarantees this for changes in this database; external
 * systems receive the key.
 *
 * @throws {UnusableRequest} if no retry can succeed: it is abandoned.
 * @throws any other error if the outcome is unknown: it is called again. A refusal is a result, not an error.
 */
export type RunEffect = (request: EffectRequest, leased: LeasedEffect) => Promise<EffectOutcome | Pending>;

/** A check, which may count its attempts: a repeated call with the same key costs nothing and returns the same result. */
export type RunCheck = (request: EffectRequest) => Promise<EffectOutcome>;

/** An outcome that an operator has to review. */
export interface OutcomeToReview {
  readonly key: string;
  /** Webhook of an act; undefined for a message. */
  readonly webhook: string | undefined;
  readonly endedAt: Date;
  readonly outcome: EffectOutcome;
  /** Other definite outcomes reported after it. */
  readonly contradictions: readonly EffectOutcome[];
}

/** Open effects of requests or of messages: their number, and the age of the oldest in ms. */
export interface OpenEffects {
  readonly kind: 'act' | 'message';
  readonly count: number;
  readonly oldestMs: number;
}

/** Log line for two different definite outcomes. */
export const contradicted = 'outcome contradicts the stored one, an operator has to review both';

/** Result of an act without an answer. It is not definite: a definite outcome replaces it. */
export const unanswered = 'unanswered';

/** Value of a fact that an outcome does not have. */
export const missingFact = '-';

/** Whether two definite outcomes differ. A fact missing in one of them is no difference. */
export function differ(one: EffectOutcome, other: EffectOutcome): boolean {
  if (one.result === unanswered || other.result === unanswered) return false;
  const { facts = {} } = one;
  const { facts: others = {} } = other;
  const names = Object.keys(facts).filter((name) => Object.hasOwn(others, name));
  const areKnown = (name: string) => facts[name] !== missingFact && others[name] !== missingFact;
  return one.result !== other.result || names.some((name) => areKnown(name) && facts[name] !== others[name]);
}

import type { EffectOutcome } from '../engine/position.js';
import type { Intent, IntentPlace } from './intent.js';

/** Intents are stored for this long after their end. */
export const intentsKeptMs = 7 * 24 * 3_600_000;

/** Effect of messages started by outcomes. */
export const messageEffect = 'message';

/** Effect of showing a menu on a phone that has not dialled. Its outcome is not shown to callers. */
export const pushEffect = 'push';

/** Suffix of an intent's key that gives the key of its message. */
export const messageSuffix = '.message';

/** An intent with its outcome. */
export interface KnownIntent {
  readonly key: string;
  readonly place: IntentPlace;
  /** Undefined until it is known. */
  readonly outcome: EffectOutcome | undefined;
}

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

/** The right of one process to run an intent. */
export interface Lease {
  readonly key: string;
  /** Number of leases, including this one: identifies the lease. */
  readonly tries: number;
}

/** Pending intents of requests or of messages: their number, and the age of the oldest in ms. */
export interface UnderWay {
  readonly kind: 'act' | 'message';
  readonly count: number;
  readonly oldestMs: number;
}

/** Data needed to run an intent. */
export interface LeasedIntent extends Lease, Pick<Intent, 'effect' | 'place'> {
  /** Undefined if an outcome started it: its input is in `place`. */
  readonly sealedInput: string | undefined;
  /** Scope that the subscriber dialled (`sessions/session-scope.ts`). */
  readonly aggregator: string;
  readonly phoneNumber: string;
  /** Age of the intent, in ms. */
  readonly ageMs: number;
  /** Undefined if it was certainly not sent. */
  readonly handed: Handed | undefined;
}

/** A send to a provider that does not detect repeats. */
export interface Handed {
  /** Time since the send, in ms. */
  readonly agoMs: number;
  /** Reference of the provider; undefined until its acceptance is known. */
  readonly reference: string | undefined;
}

export interface BeginTimes {
  readonly leaseMs: number;
  /** Time after its end during which an outcome that was not shown blocks a new intent. */
  readonly tellMs: number;
}

export type Begun =
  | { readonly kind: 'begun'; readonly leased: LeasedIntent }
  /** It exists; or the same subscriber has another one of this effect with an outcome that is unknown or was not shown. */
  | { readonly kind: 'known'; readonly intent: KnownIntent };

/**
 * Requested effects, from before they run until their outcome was shown. Guarantees: every method is one atomic step,
 * by the clock of the database, for all processes. A subscriber has one intent of an effect without an outcome at a
 * time, and begins none while another session has an outcome that was not shown: within a session the next input proves
 * that the outcome was seen. A lease belongs to one process until it expires, is postponed, or the outcome is stored.
 * The first outcome stays: a later one of the same key changes nothing. `begin` and `settle` take one round trip if no
 * other intent blocks them. An unavailable store rejects; the step was then done completely or not at all.
 */
export interface IntentStore {
  begin(intent: Intent, times: BeginTimes): Promise<Begun>;
  /** Undefined if it is leased, has an outcome, was abandoned, or does not exist. */
  lease(key: string, leaseMs: number): Promise<LeasedIntent | undefined>;
  /** Leases due intents of the given effects, longest due first. */
  leaseDue(effects: readonly string[], limit: number, leaseMs: number): Promise<readonly LeasedIntent[]>;
  /** False if the lease is no longer valid. */
  renew(lease: Lease, leaseMs: number): Promise<boolean>;
  /** Ends the lease; the intent is due after this time. */
  putOff(lease: Lease, forMs: number): Promise<void>;
  /**
   * Stores the outcome, and deletes the input. Resolves with the stored outcome; a different one is recorded as a
   * contradiction, and changes nothing. A definite outcome replaces `unanswered`, and is shown to the caller. If
   * `place` has a message for the outcome, it is stored once in the same step, as its own intent (`messageEffect`).
   */
  settle(key: string, outcome: EffectOutcome): Promise<EffectOutcome>;
  /** Ends the intent without an outcome and without further attempts. */
  giveUp(lease: Lease): Promise<void>;

  /**
   * Records the state of the send: `maybe` before it, then the reference of the provider, or `no`. False if the lease
   * is no longer valid.
   */
  noteHanded(lease: Lease, handed: 'maybe' | 'no' | { readonly reference: string }): Promise<boolean>;
  /** Number of messages to its phone in this period before this one. */
  messagesBefore(message: Pick<LeasedIntent, 'key' | 'phoneNumber'>, withinMs: number): Promise<number>;

  /** The sent intent with a reference. */
  findByReference(reference: string): Promise<KnownIntent | undefined>;
  find(key: string): Promise<KnownIntent | undefined>;
  /** Latest outcomes of a service that were contradicted, or are messages that were not delivered. */
  toReview(service: string, withinMs: number, limit: number): Promise<readonly OutcomeToReview[]>;
  /** Intents that have no outcome and were not abandoned. */
  underWay(): Promise<readonly UnderWay[]>;
  /** The subscriber knows the outcome: it is not shown again after a dial (`sessions/find-caller.ts`). */
  acknowledge(key: string): Promise<void>;

  /** Deletes some of the older ended intents, and the keys of `once` after twice that time. Resolves with their number. */
  purge(olderThanMs: number, limit: number): Promise<number>;
}

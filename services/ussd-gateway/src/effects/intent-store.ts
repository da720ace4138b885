import type { EffectOutcome } from '../engine/position.js';
import type { Intent, IntentPlace } from './intent.js';

/** Intents are known so long after their end. */
export const intentsKeptMs = 7 * 24 * 3_600_000;

/** The effect of messages that outcomes bring about. */
export const messageEffect = 'message';

/** The effect of showing a menu to a phone that has not dialled. Who dials is not told of it. */
export const pushEffect = 'push';

/** What stands behind an intent's key in that of the message that its outcome brings about. */
export const messageSuffix = '.message';

/** An intent as it is told of. */
export interface KnownIntent {
  readonly key: string;
  readonly place: IntentPlace;
  /** Undefined until it is known. */
  readonly outcome: EffectOutcome | undefined;
}

/** An outcome that an operator has to look at. */
export interface OutcomeToReview {
  readonly key: string;
  /** The webhook of an act; undefined for a message. */
  readonly webhook: string | undefined;
  readonly endedAt: Date;
  readonly outcome: EffectOutcome;
  /** Other definite outcomes that were reported after it. */
  readonly contradictions: readonly EffectOutcome[];
}

/** An intent that is one process's to run. */
export interface Lease {
  readonly key: string;
  /** How often it was leased, this time included: tells this lease from earlier ones. */
  readonly tries: number;
}

/** Of what somebody asked for, or of the messages that outcomes bring about: how many wait, and for how long the oldest has, in ms. */
export interface UnderWay {
  readonly kind: 'act' | 'message';
  readonly count: number;
  readonly oldestMs: number;
}

/** What it takes to run one. */
export interface LeasedIntent extends Lease, Pick<Intent, 'effect' | 'place'> {
  /** Undefined where an outcome brought it about: what it needs stands in its place. */
  readonly sealedInput: string | undefined;
  /** The line that its subscriber dialled by (`sessions/line.ts`). */
  readonly aggregator: string;
  readonly phoneNumber: string;
  /** How long ago it was begun, in ms. */
  readonly ageMs: number;
  /** Undefined where it surely was not handed to anybody. */
  readonly handed: Handed | undefined;
}

/** An intent in the hands of somebody who cannot tell a repeat. */
export interface Handed {
  /** How long ago, in ms. */
  readonly agoMs: number;
  /** Their name for it; undefined until it is known that they took it. */
  readonly reference: string | undefined;
}

export interface BeginTimes {
  readonly leaseMs: number;
  /** How long after its end an intent that was not told keeps another from beginning. */
  readonly tellMs: number;
}

export type Begun =
  | { readonly kind: 'begun'; readonly leased: LeasedIntent }
  /** It is there; or another one of the same subscriber for the same effect is, whose outcome is not known yet, or not told. */
  | { readonly kind: 'known'; readonly intent: KnownIntent };

/**
 * The effects that were asked for, from before they ran until their outcome was told.
 *
 * Guarantees: every method is one atomic step, by the database's own clock, for all processes. A subscriber has one intent of an effect at a
 * time whose outcome is not known, and begins none while another session has one that
 * they were not told of: within a session the next input tells that the outcome was seen. A lease is one process's until it runs out, is put off, or the outcome is there. The first outcome
 * stays: a later one of the same key changes nothing. `begin` and `settle` cost one round trip where nothing is in the way. A
 * store that cannot be reached rejects; the step was then done whole or not at all.
 */
export interface IntentStore {
  begin(intent: Intent, times: BeginTimes): Promise<Begun>;
  /** Undefined if it is leased already, has an outcome, was given up, or is not there. */
  lease(key: string, leaseMs: number): Promise<LeasedIntent | undefined>;
  /** Those of the effects named that nobody holds and whose time has come, leased; the longest due first. */
  leaseDue(effects: readonly string[], limit: number, leaseMs: number): Promise<readonly LeasedIntent[]>;
  /** False if it is not this lease's any more. */
  renew(lease: Lease, leaseMs: number): Promise<boolean>;
  /** Ends the lease; it is due again after so long. */
  putOff(lease: Lease, forMs: number): Promise<void>;
  /**
   * Keeps the outcome, and forgets the input. Resolves with the one that is kept; another one is noted beside it, and changes nothing. A definite
   * outcome takes the place of `unanswered`, and whoever dials is told of it. Where
   * its place says that a message comes of it, that is there from the same moment on, as an intent of its own (`messageEffect`), once.
   */
  settle(key: string, outcome: EffectOutcome): Promise<EffectOutcome>;
  /** Ends it without an outcome: nobody tries again. */
  giveUp(lease: Lease): Promise<void>;

  /** Notes what is known of the hands it is in: before it is handed over `maybe`, then the name they gave it, or `no`. False if it is not this lease's any more. */
  noteHanded(lease: Lease, handed: 'maybe' | 'no' | { readonly reference: string }): Promise<boolean>;
  /** How many messages its phone was to get in so long before this one. */
  messagesBefore(message: Pick<LeasedIntent, 'key' | 'phoneNumber'>, withinMs: number): Promise<number>;

  /** The one of that name in others' hands. */
  findByReference(reference: string): Promise<KnownIntent | undefined>;
  find(key: string): Promise<KnownIntent | undefined>;
  /** The latest outcomes of a service that were contradicted, or are messages that did not come to their phone. */
  toReview(service: string, withinMs: number, limit: number): Promise<readonly OutcomeToReview[]>;
  /** Those that have no outcome yet and were not given up. */
  underWay(): Promise<readonly UnderWay[]>;
  /** The subscriber knows the outcome: who dials (`sessions/who-dials`) is not told of it again. */
  acknowledge(key: string): Promise<void>;

  /** Forgets some of what ended longer ago, and what `once` knows of keys for twice as long. Resolves with how many. */
  purge(olderThanMs: number, limit: number): Promise<number>;
}

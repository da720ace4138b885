import { and, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import type { EffectOutcome } from '../engine/position.js';
import type { EffectPlace } from './effect.js';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** Outcomes that an operator has to review: contradicted ones, and messages that were not delivered. */
export const needsReview = sql`contradictions is not null or (effect = 'message' and outcome ->> 'result' not in ('sent', 'delivered'))`;

/** Effects from before they run until they are deleted. */
export const effectIntents = pgTable(
  'effect_intents',
  {
    key: text('key').primaryKey(),
    aggregator: text('aggregator').notNull(),
    /** E.164. */
    phone: text('phone').notNull(),
    serviceCode: text('service_code').notNull(),
    effect: text('effect').notNull(),
    place: jsonb('place').$type<EffectPlace>().notNull(),
    /** Sealed for this key; null once the outcome is known. */
    sealedInput: text('sealed_input'),
    /** Keyed MAC of the input. */
    inputDigest: text('input_digest').notNull(),
    outcome: jsonb('outcome').$type<EffectOutcome>(),
    tries: integer('tries').notNull().default(1),
    startedAt: moment('started_at').notNull().defaultNow(),
    /** End of the lease of one process; null without a lease. */
    leasedUntil: moment('leased_until'),
    /** Earliest time of the next attempt. */
    dueAt: moment('due_at').notNull().defaultNow(),
    /** Time of the outcome or of the abandonment. */
    endedAt: moment('ended_at'),
    /** Time at which the caller saw the outcome; set from the start if no caller is shown it. */
    shownAt: moment('told_at'),
    /** Different outcomes reported after the stored one, for review. */
    contradictions: jsonb('contradictions').$type<EffectOutcome[]>(),
    /** Key of the effect with the outcome that started this message; messages are not limited to one at a time. */
    follows: text('follows'),
    /** Time of the send to a provider that does not detect repeats; null if it was certainly not sent. */
    sentAt: moment('handed_at'),
    /** Reference of the provider, once it accepted the message. */
    reference: text('reference'),
    /** Id of the session that showed the outcome last. */
    shownIn: text('shown_in'),
  },
  (table) => [
    uniqueIndex('effect_intents_one_at_a_time')
      .on(table.phone, table.effect, table.aggregator, table.serviceCode)
      .where(and(isNull(table.endedAt), isNull(table.follows)) as SQL),
    index('effect_intents_untold_idx').on(table.phone).where(isNull(table.shownAt)),
    index('effect_intents_phone_idx').on(table.phone, table.startedAt),
    index('effect_intents_due_idx').on(table.dueAt).where(isNull(table.endedAt)),
    index('effect_intents_ended_idx').on(table.endedAt),
    index('effect_intents_review_idx').on(table.endedAt).where(needsReview),
    index('effect_intents_reference_idx').on(table.reference).where(isNotNull(table.reference)),
  ],
);

/** Outcome of the work for a key, written in the transaction of the work. */
export const effectsDone = pgTable(
  'effects_done',
  {
    key: text('key').primaryKey(),
    outcome: jsonb('outcome').$type<EffectOutcome>(),
    at: moment('at').notNull().defaultNow(),
  },
  (table) => [index('effects_done_at_idx').on(table.at)],
);

import { and, eq, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { type EffectOutcome, effectOutcome } from '../engine/position.js';
import { intentPlace, missingFact, type Subscriber, unanswered } from './intent.js';
import {
  type KnownIntent,
  type Lease,
  type LeasedIntent,
  messageEffect,
  messageSuffix,
  pushEffect,
} from './intent-store.js';
import { effectIntents as intents } from './schema.js';

/** @throws {ZodError} if another release wrote it in a shape that this one cannot read. */
export function knownIntent({ key, place, outcome }: { key: string; place: unknown; outcome: unknown }): KnownIntent {
  return {
    key,
    place: intentPlace.parse(place),
    outcome: outcome === null ? undefined : effectOutcome.parse(outcome),
  };
}

/** Row of the message that a settled intent starts, with all columns of the table in their order. It is not shown to callers. */
export const messageRow = sql`select key || ${messageSuffix}::text, aggregator, phone, service_code, ${messageEffect}::text,
  (place - 'messages' - 'call') || jsonb_build_object('message', jsonb_set(place -> 'messages' -> (outcome ->> 'result'),
    '{facts}', (place -> 'messages' -> (outcome ->> 'result') -> 'facts') || coalesce(outcome -> 'facts', '{}'::jsonb))),
  null::text, '', null::jsonb, 0, now(), null::timestamptz, now(), null::timestamptz, now(), null::jsonb, key, null::timestamptz, null::text
  from settled where place -> 'messages' ? (outcome ->> 'result')`;

export const leaseColumns = {
  key: intents.key,
  tries: intents.tries,
  effect: intents.effect,
  aggregator: intents.aggregator,
  phoneNumber: intents.phone,
  place: intents.place,
  sealedInput: intents.sealedInput,
  ageMs: sql<number>`(extract(epoch from now() - ${intents.startedAt}) * 1000)::int`,
  handedAgoMs: sql<number | null>`(extract(epoch from now() - ${intents.handedAt}) * 1000)::int`,
  reference: intents.reference,
};

interface LeasedRow extends Omit<LeasedIntent, 'place' | 'sealedInput' | 'handed'> {
  readonly place: unknown;
  readonly sealedInput: string | null;
  readonly handedAgoMs: number | null;
  readonly reference: string | null;
}

export function leasedOf({ handedAgoMs: agoMs, reference, place, sealedInput, ...row }: LeasedRow): LeasedIntent {
  const handed = agoMs === null ? undefined : { agoMs, reference: reference ?? undefined };
  return { ...row, place: intentPlace.parse(place), sealedInput: sealedInput ?? undefined, handed };
}

/**
 * Whether the outcome is shown after a dial: its end, or else its begin, is recent enough. An abandoned intent has no
 * outcome.
 */
export function isTellable(withinMs: number): SQL | undefined {
  const since = sql`coalesce(${intents.endedAt}, ${intents.startedAt}) > ${inMs(-withinMs)}`;
  return and(
    isNull(intents.toldAt),
    ne(intents.effect, pushEffect),
    or(isNull(intents.endedAt), isNotNull(intents.outcome)),
    since,
  );
}

export function isOf({ aggregator, phoneNumber, serviceCode }: Subscriber): SQL | undefined {
  return and(eq(intents.phone, phoneNumber), eq(intents.aggregator, aggregator), eq(intents.serviceCode, serviceCode));
}

/** Pending without a lease. */
export const isFree = and(
  isNull(intents.endedAt),
  or(isNull(intents.leasedUntil), lte(intents.leasedUntil, sql`now()`)),
);

export function isHeld({ key, tries }: Lease): SQL | undefined {
  return and(eq(intents.key, key), eq(intents.tries, tries), isNull(intents.endedAt));
}

/** Whether an outcome replaces the stored one: a definite outcome replaces `unanswered`. */
export function replaces({ result }: EffectOutcome): SQL {
  return result === unanswered
    ? sql`false`
    : sql`(${intents.outcome} is not null and ${intents.outcome} ->> 'result' = ${unanswered})`;
}

/** Whether an outcome and the stored one are definite and differ, as defined by `differ`. */
export function contradicts({ result, facts = {} }: EffectOutcome): SQL {
  if (result === unanswered) return sql`false`;
  const otherFact = sql`exists (select 1 from jsonb_each_text(${intents.outcome} -> 'facts') known
    join jsonb_each_text(${JSON.stringify(facts)}::jsonb) given on known.key = given.key
    where known.value <> given.value and ${missingFact} not in (known.value, given.value))`;
  return sql`(${intents.outcome} ->> 'result' <> ${unanswered} and (${intents.outcome} ->> 'result' <> ${result} or ${otherFact}))`;
}

export function inMs(ms: number): SQL {
  return sql`now() + ${ms} * interval '1 millisecond'`;
}

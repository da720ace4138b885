import { and, eq, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { EffectOutcome } from '../engine/position.js';
import { missingFact, type Subscriber, unanswered } from './intent.js';
import { type Lease, pushEffect } from './intent-store.js';
import { effectIntents as intents } from './schema.js';

/** What is told to who dials: whose end, or else whose begin, is not longer ago. One that was given up has nothing to tell. */
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

/** Under way, and nobody has it. */
export const isFree = and(
  isNull(intents.endedAt),
  or(isNull(intents.leasedUntil), lte(intents.leasedUntil, sql`now()`)),
);

export function isHeld({ key, tries }: Lease): SQL | undefined {
  return and(eq(intents.key, key), eq(intents.tries, tries), isNull(intents.endedAt));
}

/** Whether an outcome takes the place of the stored one: a definite outcome does where nobody had answered. */
export function replaces({ result }: EffectOutcome): SQL {
  return result === unanswered
    ? sql`false`
    : sql`(${intents.outcome} is not null and ${intents.outcome} ->> 'result' = ${unanswered})`;
}

/** Whether an outcome and the stored one are definite and differ, as `differ` has it. */
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

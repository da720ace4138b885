import { and, eq, gt, isNotNull, isNull, lte, not, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { type EffectOutcome, effectOutcome } from '../engine/position.js';
import { type EffectEvent, type EffectState, effectStates, openStates, statesWith, unshownStates } from './effect.js';
import {
  type Intent,
  intentPlace,
  type KnownIntent,
  type Lease,
  type LeasedIntent,
  messageEffect,
  messageSuffix,
  missingFact,
  pushEffect,
  type Subscriber,
  unanswered,
} from './intent.js';
import { effectIntents as intents } from './schema.js';

/** Outcomes of these effects are not shown to callers: their rows have `told_at` from the start. */
const unshownEffects = [messageEffect, pushEffect];

/** Whether the outcome of an intent is for its caller. */
export const isForCaller = notInArray(intents.effect, unshownEffects);

const isPostponed = and(isNull(intents.endedAt), isNull(intents.leasedUntil), gt(intents.tries, 0));

/** How each state is stored. `pending` and `uncertain` are stored alike: only the log has the cause. */
const stored: Readonly<Record<EffectState, SQL | undefined>> = {
  stored: and(isNull(intents.endedAt), or(lte(intents.leasedUntil, sql`now()`), eq(intents.tries, 0))),
  running: and(isNull(intents.endedAt), gt(intents.leasedUntil, sql`now()`)),
  pending: isPostponed,
  uncertain: isPostponed,
  settled: and(isNotNull(intents.outcome), or(isNull(intents.shownAt), not(isForCaller))),
  shown: and(isNotNull(intents.outcome), isNotNull(intents.shownAt), isForCaller),
  abandoned: and(isNotNull(intents.endedAt), isNull(intents.outcome)),
};

/** Whether an intent is in one of these states. */
export function isIn(states: readonly EffectState[]): SQL | undefined {
  return or(...new Set(states.map((state) => stored[state])));
}

/** Whether the table of transitions allows an event. */
export function isAllowed(event: EffectEvent): SQL | undefined {
  return isIn(statesWith(event));
}

const caseOfState = sql.join(
  effectStates.map((state) => sql`when ${stored[state]} then ${sql.raw(`'${state}'`)}`),
  sql` `,
);

/** Columns of a `KnownIntent`. */
export const knownColumns = {
  key: intents.key,
  place: intents.place,
  outcome: intents.outcome,
  state: sql<EffectState>`case ${caseOfState} end`.as('state'),
};

interface KnownRow extends Pick<KnownIntent, 'key' | 'state'> {
  readonly place: unknown;
  readonly outcome: unknown;
}

/** @throws {ZodError} if another release wrote it in a shape that this one cannot read. */
export function knownIntent({ key, place, outcome, state }: KnownRow): KnownIntent {
  return {
    ...{ key, state, place: intentPlace.parse(place) },
    outcome: outcome === null ? undefined : effectOutcome.parse(outcome),
  };
}

/** Row of the message that a settled intent starts, with all columns of the table in their order. */
export const messageRow = sql`select key || ${messageSuffix}::text, aggregator, phone, service_code, ${messageEffect}::text,
  (place - 'messages' - 'call') || jsonb_build_object('message', jsonb_set(place -> 'messages' -> (outcome ->> 'result'),
    '{facts}', (place -> 'messages' -> (outcome ->> 'result') -> 'facts') || coalesce(outcome -> 'facts', '{}'::jsonb))),
  null::text, '', null::jsonb, 0, now(), null::timestamptz, now(), null::timestamptz, now(), null::jsonb, key, null::timestamptz, null::text
  from settled where place -> 'messages' ? (outcome ->> 'result')`;

/** Row of a new intent, leased to its first process, with all columns of the table in their order. */
export function newRow({ subscriber, key, effect, place, sealedInput, inputDigest }: Intent, leaseMs: number): SQL {
  const { aggregator, phoneNumber, serviceCode } = subscriber;
  const shownAt = sql.raw(unshownEffects.includes(effect) ? 'now()' : 'null::timestamptz');
  return sql`select ${key}::text, ${aggregator}::text, ${phoneNumber}::text, ${serviceCode}::text, ${effect}::text,
    ${JSON.stringify(place)}::jsonb, ${sealedInput}::text, ${inputDigest}::text, null::jsonb, 1, now(), ${inMs(leaseMs)}, now(),
    null::timestamptz, ${shownAt}, null::jsonb, null::text, null::timestamptz, null::text`;
}

export const leaseColumns = {
  key: intents.key,
  tries: intents.tries,
  effect: intents.effect,
  aggregator: intents.aggregator,
  phoneNumber: intents.phone,
  place: intents.place,
  sealedInput: intents.sealedInput,
  ageMs: sql<number>`(extract(epoch from now() - ${intents.startedAt}) * 1000)::int`,
  sentAgoMs: sql<number | null>`(extract(epoch from now() - ${intents.sentAt}) * 1000)::int`,
  reference: intents.reference,
};

interface LeasedRow extends Omit<LeasedIntent, 'place' | 'sealedInput' | 'send'> {
  readonly place: unknown;
  readonly sealedInput: string | null;
  readonly sentAgoMs: number | null;
  readonly reference: string | null;
}

export function leasedOf({ sentAgoMs: agoMs, reference, place, sealedInput, ...row }: LeasedRow): LeasedIntent {
  const send = agoMs === null ? undefined : { agoMs, reference: reference ?? undefined };
  return { ...row, place: intentPlace.parse(place), sealedInput: sealedInput ?? undefined, send };
}

/** Whether a dial shows an intent: its end, or else its begin, is recent enough. */
export function isUnshown(withinMs: number): SQL | undefined {
  const since = sql`coalesce(${intents.endedAt}, ${intents.startedAt}) > ${inMs(-withinMs)}`;
  return and(isNull(intents.shownAt), isIn(unshownStates), since);
}

/** Whether an intent blocks another of its subscriber and effect. Within a session, the next input proves that an outcome was seen. */
export function blocks({ subscriber, effect, place }: Intent, unshownMs: number): SQL | undefined {
  const isUnshownOutcome = and(
    ...[isNull(intents.shownAt), isIn(['settled']), sql`${intents.endedAt} > ${inMs(-unshownMs)}`],
    sql`${intents.place} ->> 'nonce' <> ${place.nonce}`,
  );
  return and(isOf(subscriber), eq(intents.effect, effect), or(isIn(openStates), isUnshownOutcome));
}

function isOf({ aggregator, phoneNumber, serviceCode }: Subscriber): SQL | undefined {
  return and(eq(intents.phone, phoneNumber), eq(intents.aggregator, aggregator), eq(intents.serviceCode, serviceCode));
}

/** Whether a lease is the latest of its intent. */
export function isLatest({ key, tries }: Lease): SQL | undefined {
  return and(eq(intents.key, key), eq(intents.tries, tries));
}

/** Whether an outcome corrects the stored one: a definite outcome replaces `unanswered`. */
export function isCorrectedBy({ result }: EffectOutcome): SQL {
  if (result === unanswered) return sql`false`;
  return sql`(${isAllowed('corrected')} and ${intents.outcome} ->> 'result' = ${unanswered})`;
}

/** Whether an outcome and the stored one are definite and differ, as defined by `differ`. */
export function contradicts({ result, facts = {} }: EffectOutcome): SQL {
  if (result === unanswered) return sql`false`;
  const otherFact = sql`exists (select 1 from jsonb_each_text(${intents.outcome} -> 'facts') known
    join jsonb_each_text(${JSON.stringify(facts)}::jsonb) other on known.key = other.key
    where known.value <> other.value and ${missingFact} not in (known.value, other.value))`;
  return sql`(${intents.outcome} ->> 'result' <> ${unanswered} and (${intents.outcome} ->> 'result' <> ${result} or ${otherFact}))`;
}

export function inMs(ms: number): SQL {
  return sql`now() + ${ms} * interval '1 millisecond'`;
}

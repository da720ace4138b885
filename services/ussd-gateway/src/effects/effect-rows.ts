import { and, eq, gt, isNotNull, isNull, lte, not, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { type EffectOutcome, effectOutcome } from '../engine/position.js';
import {
  type BeginRules,
  effectPlace,
  type Lease,
  type LeasedEffect,
  messageEffect,
  messageSuffix,
  missingFact,
  type NewEffect,
  pushEffect,
  type StoredEffect,
  type Subscriber,
  unanswered,
} from './effect.js';
import {
  type EffectEvent,
  type EffectState,
  effectStates,
  openStates,
  statesWith,
  unshownStates,
} from './effect-states.js';
import { effectIntents as effects } from './schema.js';

/** Outcomes of these effects are not shown to callers: their rows count as shown from the start. */
const unshownEffects = [messageEffect, pushEffect];

/** Whether the outcome of an effect is for its caller. */
export const isForCaller = notInArray(effects.effect, unshownEffects);

const isPostponed = and(isNull(effects.endedAt), isNull(effects.leasedUntil), gt(effects.tries, 0));

/** How each state is stored. `pending` and `uncertain` are stored in the same way: only the log has the cause. */
const stored: Readonly<Record<EffectState, SQL | undefined>> = {
  stored: and(isNull(effects.endedAt), or(lte(effects.leasedUntil, sql`now()`), eq(effects.tries, 0))),
  running: and(isNull(effects.endedAt), gt(effects.leasedUntil, sql`now()`)),
  pending: isPostponed,
  uncertain: isPostponed,
  settled: and(isNotNull(effects.outcome), or(isNull(effects.shownAt), not(isForCaller))),
  shown: and(isNotNull(effects.outcome), isNotNull(effects.shownAt), isForCaller),
  abandoned: and(isNotNull(effects.endedAt), isNull(effects.outcome)),
};

/** Whether an effect is in one of these states. */
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

/** Columns of a `StoredEffect`. */
export const storedColumns = {
  key: effects.key,
  place: effects.place,
  outcome: effects.outcome,
  state: sql<EffectState>`case ${caseOfState} end`.as('state'),
};

interface StoredRow extends Pick<StoredEffect, 'key' | 'state'> {
  readonly place: unknown;
  readonly outcome: unknown;
}

/** @throws {ZodError} if another release wrote it in a shape that this one cannot read. */
export function storedEffect({ key, place, outcome, state }: StoredRow): StoredEffect {
  return {
    key,
    state,
    place: effectPlace.parse(place),
    outcome: outcome === null ? undefined : effectOutcome.parse(outcome),
  };
}

/** Row of the message that a settled effect starts, with all columns of the table in their order. */
export const messageRow = sql`select key || ${messageSuffix}::text, aggregator, phone, service_code, ${messageEffect}::text,
  (place - 'messages' - 'call') || jsonb_build_object('message', jsonb_set(place -> 'messages' -> (outcome ->> 'result'),
    '{facts}', (place -> 'messages' -> (outcome ->> 'result') -> 'facts') || coalesce(outcome -> 'facts', '{}'::jsonb))),
  null::text, '', null::jsonb, 0, now(), null::timestamptz, now(), null::timestamptz, now(), null::jsonb, key, null::timestamptz, null::text, null::text
  from settled where place -> 'messages' ? (outcome ->> 'result')`;

/** Row of a new effect, leased to its first process, with all columns of the table in their order. */
export function newRow({ subscriber, key, effect, place, sealedInput, inputDigest }: NewEffect, leaseMs: number): SQL {
  const { aggregator, phoneNumber, serviceCode } = subscriber;
  const shownAt = sql.raw(unshownEffects.includes(effect) ? 'now()' : 'null::timestamptz');
  return sql`select ${key}::text, ${aggregator}::text, ${phoneNumber}::text, ${serviceCode}::text, ${effect}::text,
    ${JSON.stringify(place)}::jsonb, ${sealedInput}::text, ${inputDigest}::text, null::jsonb, 1, now(), ${inMs(leaseMs)}, now(),
    null::timestamptz, ${shownAt}, null::jsonb, null::text, null::timestamptz, null::text, null::text`;
}

export const leaseColumns = {
  key: effects.key,
  tries: effects.tries,
  effect: effects.effect,
  aggregator: effects.aggregator,
  phoneNumber: effects.phone,
  place: effects.place,
  sealedInput: effects.sealedInput,
  ageMs: sql<number>`(extract(epoch from now() - ${effects.startedAt}) * 1000)::int`,
  sentAgoMs: sql<number | null>`(extract(epoch from now() - ${effects.sentAt}) * 1000)::int`,
  reference: effects.reference,
};

interface LeasedRow extends Omit<LeasedEffect, 'place' | 'sealedInput' | 'send'> {
  readonly place: unknown;
  readonly sealedInput: string | null;
  readonly sentAgoMs: number | null;
  readonly reference: string | null;
}

export function leasedOf({ sentAgoMs: agoMs, reference, place, sealedInput, ...row }: LeasedRow): LeasedEffect {
  const send = agoMs === null ? undefined : { agoMs, reference: reference ?? undefined };
  return { ...row, place: effectPlace.parse(place), sealedInput: sealedInput ?? undefined, send };
}

/** Whether a dial shows an effect: its end, or else its begin, is recent enough. */
export function isUnshown(withinMs: number): SQL | undefined {
  const since = sql`coalesce(${effects.endedAt}, ${effects.startedAt}) > ${inMs(-withinMs)}`;
  return and(isNull(effects.shownAt), isIn(unshownStates), since);
}

/**
 * Whether an effect blocks another of its subscriber and name: it is open, or its outcome was not shown, or it had the same input and the
 * session that showed it has no record of it: its reply may have been lost too. The next input of a session proves that an outcome was seen.
 */
export function blocks(
  { subscriber, effect, inputDigest }: NewEffect,
  rules: Omit<BeginRules, 'leaseMs'>,
): SQL | undefined {
  const { unshownMs, session } = rules;
  const isUnshownOutcome = and(isNull(effects.shownAt), sql`${effects.endedAt} > ${inMs(-unshownMs)}`);
  const wasShownHere =
    session &&
    and(
      eq(effects.shownIn, session.sessionId),
      gt(effects.shownAt, inMs(-session.retentionMs)),
      eq(effects.inputDigest, inputDigest),
    );
  const isUnrecorded =
    session === undefined || session.shownEffects.length === 0
      ? undefined
      : notInArray(effects.key, [...session.shownEffects]);
  const isUnseen = and(isIn(['settled', 'shown']), isUnrecorded, or(isUnshownOutcome, wasShownHere));
  return and(isOf(subscriber), eq(effects.effect, effect), or(isIn(openStates), isUnseen));
}

function isOf({ aggregator, phoneNumber, serviceCode }: Subscriber): SQL | undefined {
  return and(eq(effects.phone, phoneNumber), eq(effects.aggregator, aggregator), eq(effects.serviceCode, serviceCode));
}

/** Whether a lease is the latest of its effect. */
export function isLatest({ key, tries }: Lease): SQL | undefined {
  return and(eq(effects.key, key), eq(effects.tries, tries));
}

/** Whether an outcome corrects the stored one: a definite outcome replaces `unanswered`. */
export function isCorrectedBy({ result }: EffectOutcome): SQL {
  if (result === unanswered) return sql`false`;
  return sql`(${isAllowed('corrected')} and ${effects.outcome} ->> 'result' = ${unanswered})`;
}

/** Whether an outcome and the stored one are definite and differ, as defined by `differ`. */
export function contradicts({ result, facts = {} }: EffectOutcome): SQL {
  if (result === unanswered) return sql`false`;
  const otherFact = sql`exists (select 1 from jsonb_each_text(${effects.outcome} -> 'facts') known
    join jsonb_each_text(${JSON.stringify(facts)}::jsonb) other on known.key = other.key
    where known.value <> other.value and ${missingFact} not in (known.value, other.value))`;
  return sql`(${effects.outcome} ->> 'result' <> ${unanswered} and (${effects.outcome} ->> 'result' <> ${result} or ${otherFact}))`;
}

export function inMs(ms: number): SQL {
  return sql`now() + ${ms} * interval '1 millisecond'`;
}

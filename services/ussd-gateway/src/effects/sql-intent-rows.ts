import { sql } from 'drizzle-orm';
import { effectOutcome } from '../engine/position.js';
import { intentPlace } from './intent.js';
import { type KnownIntent, type LeasedIntent, messageEffect, messageSuffix } from './intent-store.js';
import { effectIntents as intents } from './schema.js';

/** @throws {ZodError} if another release wrote it in a shape this one cannot read. */
export function knownIntent({ key, place, outcome }: { key: string; place: unknown; outcome: unknown }): KnownIntent {
  return {
    key,
    place: intentPlace.parse(place),
    outcome: outcome === null ? undefined : effectOutcome.parse(outcome),
  };
}

/** A row of the message that what was settled brings about, for all columns of the table in their order. Nobody who dials is told of it. */
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

import { and, eq, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Subscriber } from './intent.js';
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

export function inMs(ms: number): SQL {
  return sql`now() + ${ms} * interval '1 millisecond'`;
}

import type { SqlDatabase, StaleDatabase } from '@mlango/service-kit/database';
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { type EffectOutcome, effectOutcome } from '../engine/position.js';
import { scoped } from '../sessions/session-scope.js';
import type { Intent } from './intent.js';
import type {
  BeginTimes,
  Begun,
  IntentStore,
  KnownIntent,
  Lease,
  LeasedIntent,
  OutcomeToReview,
  UnderWay,
} from './intent-store.js';
import { effectsDone, effectIntents as intents, needsReview } from './schema.js';
import {
  contradicts,
  inMs,
  isFree,
  isHeld,
  isOf,
  knownIntent,
  leaseColumns,
  leasedOf,
  messageRow,
  replaces,
} from './sql-intent-rows.js';

const mostContradictions = 10;

/** Intents in Postgres or PGlite. */
export class SqlIntentStore implements IntentStore {
  readonly #db: SqlDatabase<Record<string, unknown>>;
  readonly #stale: StaleDatabase<Record<string, unknown>>;

  /** @param stale for figures, which may be some seconds old. */
  constructor(db: SqlDatabase<Record<string, unknown>>, stale: StaleDatabase<Record<string, unknown>> = db) {
    this.#db = db;
    this.#stale = stale;
  }

  async begin(intent: Intent, { leaseMs, tellMs }: BeginTimes): Promise<Begun> {
    const { subscriber, key, effect, place, sealedInput, inputDigest } = intent;
    const { aggregator, phoneNumber, serviceCode } = subscriber;
    const isUntold = and(
      ...[isNull(intents.toldAt), isNotNull(intents.outcome), gt(intents.endedAt, inMs(-tellMs))],
      sql`${intents.place} ->> 'nonce' <> ${place.nonce}`,
    );
    const isInTheWay = and(isOf(subscriber), eq(intents.effect, effect), or(isNull(intents.endedAt), isUntold));
    // All columns of the table, in its order.
    const row = sql`select ${key}::text, ${aggregator}::text, ${phoneNumber}::text, ${serviceCode}::text, ${effect}::text,
      ${JSON.stringify(place)}::jsonb, ${sealedInput}::text, ${inputDigest}::text, null::jsonb, 1, now(), ${inMs(leaseMs)}, now(),
      null::timestamptz, null::timestamptz, null::jsonb, null::text, null::timestamptz, null::text
      where not exists (select 1 from ${intents} where ${isInTheWay})`;
    for (;;) {
      const [leased] = await this.#db.insert(intents).select(row).onConflictDoNothing().returning(leaseColumns);
      if (leased !== undefined) return { kind: 'begun', leased: leasedOf(leased) };
      const known = await this.#findOne(or(eq(intents.key, key), isInTheWay), sql`(${intents.key} = ${key}) desc`);
      // Undefined if the other one ended in between.
      if (known !== undefined) return { kind: 'known', intent: known };
    }
  }

  async lease(key: string, leaseMs: number): Promise<LeasedIntent | undefined> {
    const [leased] = await this.#lease(and(eq(intents.key, key), isFree), leaseMs);
    return leased;
  }

  leaseDue(effects: readonly string[], limit: number, leaseMs: number): Promise<readonly LeasedIntent[]> {
    const due = this.#db
      .select({ key: intents.key })
      .from(intents)
      .where(and(isFree, inArray(intents.effect, [...effects]), lte(intents.dueAt, sql`now()`)))
      .orderBy(asc(intents.dueAt))
      .limit(limit)
      .for('update', { skipLocked: true });
    return this.#lease(inArray(intents.key, due), leaseMs);
  }

  async renew(lease: Lease, leaseMs: number): Promise<boolean> {
    const renewed = await this.#db
      .update(intents)
      .set({ leasedUntil: inMs(leaseMs) })
      .where(isHeld(lease))
      .returning({ key: intents.key });
    return renewed.length > 0;
  }

  async putOff(lease: Lease, forMs: number): Promise<void> {
    await this.#db
      .update(intents)
      .set({ leasedUntil: null, dueAt: inMs(forMs) })
      .where(isHeld(lease));
  }

  async settle(key: string, outcome: EffectOutcome): Promise<EffectOutcome> {
    const given = sql`${JSON.stringify(outcome)}::jsonb`;
    const isReplaced = replaces(outcome);
    const kept = sql<EffectOutcome>`case when ${isReplaced} then ${given} else coalesce(${intents.outcome}, ${given}) end`;
    const others = sql`coalesce(${intents.contradictions}, '[]'::jsonb)`;
    const isAnother = sql`${contradicts(outcome)} and not ${others} @> jsonb_build_array(${given})
      and jsonb_array_length(${others}) < ${mostContradictions}`;
    const contradictions = sql`case when ${isAnother} then ${others} || ${given} else ${intents.contradictions} end`;
    const endedAt = sql`case when ${isReplaced} then now() else coalesce(${intents.endedAt}, now()) end`;
    // A definite outcome is shown to the caller too; messages are never shown.
    const toldAt = sql`case when ${isReplaced} and ${intents.follows} is null then null else ${intents.toldAt} end`;
    const settled = this.#db
      .$with('settled')
      .as(
        this.#db
          .update(intents)
          .set({ outcome: kept, contradictions, endedAt, toldAt, sealedInput: null, leasedUntil: null })
          .where(eq(intents.key, key))
          .returning(),
      );
    const followed = this.#db
      .$with('followed')
      .as(this.#db.insert(intents).select(messageRow).onConflictDoNothing().returning({ key: intents.key }));
    const [row] = await this.#db.with(settled, followed).select({ outcome: settled.outcome }).from(settled);
    return effectOutcome.parse(row?.outcome ?? outcome);
  }

  async noteHanded(lease: Lease, handed: 'maybe' | 'no' | { readonly reference: string }): Promise<boolean> {
    const reference = typeof handed === 'object' ? handed.reference : null;
    const handedAt =
      handed === 'maybe' ? sql`now()` : sql`case when ${reference}::text is null then null else handed_at end`;
    const noted = await this.#db
      .update(intents)
      .set({ handedAt, reference })
      .where(isHeld(lease))
      .returning({ key: intents.key });
    return noted.length > 0;
  }

  messagesBefore({ key, phoneNumber }: Pick<LeasedIntent, 'key' | 'phoneNumber'>, withinMs: number): Promise<number> {
    const began = sql`(select one.started_at from ${intents} one where one.key = ${key})`;
    const isBefore = and(
      lt(intents.startedAt, began),
      gt(intents.startedAt, sql`${began} - ${withinMs} * interval '1 millisecond'`),
    );
    return this.#db.$count(intents, and(eq(intents.phone, phoneNumber), isNotNull(intents.follows), isBefore));
  }

  findByReference(reference: string): Promise<KnownIntent | undefined> {
    return this.#findOne(eq(intents.reference, reference));
  }

  async giveUp(lease: Lease): Promise<void> {
    await this.#db
      .update(intents)
      .set({ endedAt: sql`now()`, sealedInput: null, leasedUntil: null })
      .where(isHeld(lease));
  }

  find(key: string): Promise<KnownIntent | undefined> {
    return this.#findOne(eq(intents.key, key));
  }

  async underWay(): Promise<readonly UnderWay[]> {
    const isMessage = sql<boolean>`${intents.follows} is not null`;
    const oldestMs = sql<number>`extract(epoch from now() - min(${intents.startedAt}))::float8 * 1000`;
    const rows = await this.#stale
      .select({ isMessage, count: count(), oldestMs })
      .from(intents)
      .where(isNull(intents.endedAt))
      .groupBy(isMessage);
    return ([false, true] as const).map((wanted) => {
      const { count: waiting = 0, oldestMs = 0 } = rows.find((row) => row.isMessage === wanted) ?? {};
      return { kind: wanted ? 'message' : 'act', count: waiting, oldestMs };
    });
  }

  async toReview(service: string, withinMs: number, limit: number): Promise<readonly OutcomeToReview[]> {
    // A line of the default service has no slash.
    const named = scoped('', service).slice(1);
    const isOfService = sql`split_part(${intents.aggregator}, '/', 2) = ${named}`;
    const { key, place, endedAt, outcome, contradictions } = intents;
    const rows = await this.#stale
      .select({ key, place, endedAt, outcome, contradictions })
      .from(intents)
      .where(and(sql`(${needsReview})`, gt(endedAt, inMs(-withinMs)), isOfService))
      .orderBy(desc(endedAt))
      .limit(limit);
    return rows.flatMap((row) =>
      row.endedAt === null || row.outcome === null
        ? []
        : [
            {
              key: row.key,
              webhook: row.place.call?.webhook,
              endedAt: row.endedAt,
              outcome: row.outcome,
              contradictions: row.contradictions ?? [],
            },
          ],
    );
  }

  async acknowledge(key: string): Promise<void> {
    await this.#db.update(intents).set({ toldAt: sql`now()` }).where(eq(intents.key, key));
  }

  async purge(olderThanMs: number, limit: number): Promise<number> {
    const old = this.#db
      .select({ key: intents.key })
      .from(intents)
      .where(lte(intents.endedAt, inMs(-olderThanMs)))
      .limit(limit)
      .for('update', { skipLocked: true });
    const done = this.#db
      .select({ key: effectsDone.key })
      .from(effectsDone)
      .where(lte(effectsDone.at, inMs(-2 * olderThanMs)))
      .limit(limit)
      .for('update', { skipLocked: true });
    const keys = await this.#db
      .delete(effectsDone)
      .where(inArray(effectsDone.key, done))
      .returning({ key: effectsDone.key });
    const gone = await this.#db.delete(intents).where(inArray(intents.key, old)).returning({ key: intents.key });
    return Math.max(keys.length, gone.length);
  }

  async #lease(which: SQL | undefined, leaseMs: number): Promise<LeasedIntent[]> {
    const rows = await this.#db
      .update(intents)
      .set({ leasedUntil: inMs(leaseMs), tries: sql`${intents.tries} + 1` })
      .where(which)
      .returning(leaseColumns);
    return rows.map(leasedOf);
  }

  async #findOne(which: SQL | undefined, first?: SQL): Promise<KnownIntent | undefined> {
    const { key, place, outcome } = intents;
    const found = this.#db.select({ key, place, outcome }).from(intents).where(which);
    const [row] = await (first === undefined ? found : found.orderBy(first)).limit(1);
    return row && knownIntent(row);
  }
}

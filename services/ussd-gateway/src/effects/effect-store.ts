import type { SqlDatabase, StaleDatabase } from '@mlango/service-kit/database';
import { and, asc, count, desc, eq, gt, inArray, isNotNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { type EffectOutcome, effectOutcome } from '../engine/position.js';
import { scoped } from '../session-scope.js';
import type {
  BeginRules,
  Begun,
  Lease,
  LeasedEffect,
  NewEffect,
  OpenEffects,
  OutcomeToReview,
  StoredEffect,
} from './effect.js';
import {
  blocks,
  contradicts,
  inMs,
  isAllowed,
  isCorrectedBy,
  isForCaller,
  isIn,
  isLatest,
  leaseColumns,
  leasedOf,
  messageRow,
  newRow,
  storedColumns,
  storedEffect,
} from './effect-rows.js';
import { type EffectEvent, openStates } from './effect-states.js';
import type { RunEnd } from './retry.js';
import { effectIntents as effects, effectsDone, needsReview } from './schema.js';

const mostContradictions = 10;

/**
 * Requested effects, from before they run until their outcome was shown, in Postgres or PGlite. Guarantees: every method is one atomic
 * step, by the clock of the database, for all processes, and makes transitions of the table in `effect-states.ts` only. A subscriber has one
 * open effect of a name at a time, and begins none until the last outcome was shown; an outcome without the session record that
 * proves it counts as not shown. A lease belongs to one process until it expires, is postponed, or the outcome is stored. `begin` and
 * `settle` take one round trip if no other effect blocks them. An unavailable store rejects; the step was then done completely or not at all.
 */
export class EffectStore {
  readonly #db: SqlDatabase<Record<string, unknown>>;
  readonly #stale: StaleDatabase<Record<string, unknown>>;

  /** @param stale for figures, which may be some seconds old. */
  constructor(db: SqlDatabase<Record<string, unknown>>, stale: StaleDatabase<Record<string, unknown>> = db) {
    this.#db = db;
    this.#stale = stale;
  }

  /** Stores an effect and leases it to this process. */
  async begin(effect: NewEffect, rules: BeginRules): Promise<Begun> {
    const isInTheWay = blocks(effect, rules);
    const row = sql`${newRow(effect, rules.leaseMs)} where not exists (select 1 from ${effects} where ${isInTheWay})`;
    const isSame = eq(effects.key, effect.key);
    for (;;) {
      const [leased] = await this.#db.insert(effects).select(row).onConflictDoNothing().returning(leaseColumns);
      if (leased !== undefined) return { kind: 'begun', leased: leasedOf(leased) };
      const known = await this.#findOne(or(isSame, isInTheWay), sql`(${isSame}) desc`);
      // Undefined if the other one ended in between.
      if (known !== undefined) return { kind: 'known', effect: known };
    }
  }

  /** Undefined if it is leased, has an outcome, was abandoned, or does not exist. */
  async lease(key: string, leaseMs: number): Promise<LeasedEffect | undefined> {
    const [leased] = await this.#lease(and(eq(effects.key, key), isAllowed('leased')), leaseMs);
    return leased;
  }

  /** Leases due effects with these names, longest due first. */
  leaseDue(names: readonly string[], limit: number, leaseMs: number): Promise<readonly LeasedEffect[]> {
    const due = this.#db
      .select({ key: effects.key })
      .from(effects)
      .where(and(isAllowed('leased'), inArray(effects.effect, [...names]), lte(effects.dueAt, sql`now()`)))
      .orderBy(asc(effects.dueAt))
      .limit(limit)
      .for('update', { skipLocked: true });
    return this.#lease(inArray(effects.key, due), leaseMs);
  }

  /** False if another process has the lease, or the run has ended. */
  renew(lease: Lease, leaseMs: number): Promise<boolean> {
    return this.#change(and(isLatest(lease), isAllowed('renewed')), { leasedUntil: inMs(leaseMs) });
  }

  /** Ends a run without an outcome: the effect is due after the pause, or is abandoned. Changes nothing if the lease is not the latest. */
  async endRun(lease: Lease, { event, pauseMs }: RunEnd): Promise<void> {
    const change =
      event === 'gaveUp'
        ? { endedAt: sql`now()`, sealedInput: null, leasedUntil: null }
        : { leasedUntil: null, dueAt: inMs(pauseMs) };
    await this.#change(and(isLatest(lease), isAllowed(event)), change);
  }

  /**
   * Stores the outcome, and deletes the input. Resolves with the stored outcome; a different one is recorded as a contradiction, and
   * changes nothing. A definite outcome replaces `unanswered`, and is shown to the caller. If `place` has a message for the outcome, it is
   * stored once in the same step, as its own effect (`messageEffect`).
   */
  async settle(
    key: string,
    outcome: EffectOutcome,
    event: Extract<EffectEvent, 'answered' | 'reported'>,
  ): Promise<EffectOutcome> {
    const reported = sql`${JSON.stringify(outcome)}::jsonb`;
    const isCorrected = isCorrectedBy(outcome);
    const first = sql<EffectOutcome>`case when ${isCorrected} then ${reported} else coalesce(${effects.outcome}, ${reported}) end`;
    const others = sql`coalesce(${effects.contradictions}, '[]'::jsonb)`;
    const isAnother = sql`${contradicts(outcome)} and not ${others} @> jsonb_build_array(${reported})
      and jsonb_array_length(${others}) < ${mostContradictions}`;
    const contradictions = sql`case when ${isAnother} then ${others} || ${reported} else ${effects.contradictions} end`;
    const endedAt = sql`case when ${isCorrected} then now() else coalesce(${effects.endedAt}, now()) end`;
    const shownAt = sql`case when ${isCorrected} and ${isForCaller} then null else ${effects.shownAt} end`;
    const settled = this.#db.$with('settled').as(
      this.#db
        .update(effects)
        .set({ outcome: first, contradictions, endedAt, shownAt, sealedInput: null, leasedUntil: null })
        .where(and(eq(effects.key, key), isAllowed(event)))
        .returning(),
    );
    const followed = this.#db
      .$with('followed')
      .as(this.#db.insert(effects).select(messageRow).onConflictDoNothing().returning({ key: effects.key }));
    const [row] = await this.#db.with(settled, followed).select({ outcome: settled.outcome }).from(settled);
    return effectOutcome.parse(row?.outcome ?? outcome);
  }

  /**
   * Records the state of the send: `maybe` before it, then the reference of the provider, or `no`. False if another process has the lease,
   * or the run has ended.
   */
  recordSend(lease: Lease, send: 'maybe' | 'no' | { readonly reference: string }): Promise<boolean> {
    const reference = typeof send === 'object' ? send.reference : null;
    const sentAt =
      send === 'maybe' ? sql`now()` : sql`case when ${reference}::text is null then null else ${effects.sentAt} end`;
    return this.#change(and(isLatest(lease), isAllowed('renewed')), { sentAt, reference });
  }

  /** Number of messages to its phone in this period before this one. */
  messagesBefore({ key, phoneNumber }: Pick<LeasedEffect, 'key' | 'phoneNumber'>, withinMs: number): Promise<number> {
    const began = sql`(select one.started_at from ${effects} one where one.key = ${key})`;
    const isBefore = and(
      lt(effects.startedAt, began),
      gt(effects.startedAt, sql`${began} - ${withinMs} * interval '1 millisecond'`),
    );
    return this.#db.$count(effects, and(eq(effects.phone, phoneNumber), isNotNull(effects.follows), isBefore));
  }

  /** The sent effect with a reference. */
  findByReference(reference: string): Promise<StoredEffect | undefined> {
    return this.#findOne(eq(effects.reference, reference));
  }

  find(key: string): Promise<StoredEffect | undefined> {
    return this.#findOne(eq(effects.key, key));
  }

  /** Open effects of requests, and of messages. */
  async countOpen(): Promise<readonly OpenEffects[]> {
    const isMessage = sql<boolean>`${effects.follows} is not null`;
    const oldestMs = sql<number>`extract(epoch from now() - min(${effects.startedAt}))::float8 * 1000`;
    const rows = await this.#stale
      .select({ isMessage, count: count(), oldestMs })
      .from(effects)
      .where(isIn(openStates))
      .groupBy(isMessage);
    return ([false, true] as const).map((wanted) => {
      const { count: open = 0, oldestMs: ageMs = 0 } = rows.find((row) => row.isMessage === wanted) ?? {};
      return { kind: wanted ? 'message' : 'act', count: open, oldestMs: ageMs };
    });
  }

  /** Latest outcomes of a service that were contradicted, or are messages that were not delivered. */
  async toReview(service: string, withinMs: number, limit: number): Promise<readonly OutcomeToReview[]> {
    // The scope of the default service has no slash.
    const suffix = scoped('', service).slice(1);
    const isOfService = sql`split_part(${effects.aggregator}, '/', 2) = ${suffix}`;
    const { key, place, endedAt, outcome, contradictions } = effects;
    const rows = await this.#stale
      .select({ key, place, endedAt, outcome, contradictions })
      .from(effects)
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

  /** The subscriber knows the outcome: it is not shown after the next dial (`sessions/find-caller.ts`). */
  async acknowledge(key: string, sessionId: string): Promise<void> {
    const shown = { shownAt: sql`now()`, shownIn: sessionId };
    await this.#change(and(eq(effects.key, key), isAllowed('acknowledged')), shown);
  }

  /** Deletes some of the older ended effects, and the keys of `once` after twice that time. Resolves with their number. */
  async purge(olderThanMs: number, limit: number): Promise<number> {
    const old = this.#db
      .select({ key: effects.key })
      .from(effects)
      .where(lte(effects.endedAt, inMs(-olderThanMs)))
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
    const deleted = await this.#db.delete(effects).where(inArray(effects.key, old)).returning({ key: effects.key });
    return Math.max(keys.length, deleted.length);
  }

  async #lease(which: SQL | undefined, leaseMs: number): Promise<LeasedEffect[]> {
    const rows = await this.#db
      .update(effects)
      .set({ leasedUntil: inMs(leaseMs), tries: sql`${effects.tries} + 1` })
      .where(which)
      .returning(leaseColumns);
    return rows.map(leasedOf);
  }

  /** Whether an effect was changed. */
  async #change(which: SQL | undefined, change: PgUpdateSetSource<typeof effects>): Promise<boolean> {
    const changed = await this.#db.update(effects).set(change).where(which).returning({ key: effects.key });
    return changed.length > 0;
  }

  async #findOne(which: SQL | undefined, first?: SQL): Promise<StoredEffect | undefined> {
    const found = this.#db.select(storedColumns).from(effects).where(which);
    const [row] = await (first === undefined ? found : found.orderBy(first)).limit(1);
    return row && storedEffect(row);
  }
}

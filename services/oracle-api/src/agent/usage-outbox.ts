import { within } from '@mlango/async/within';
import { and, asc, eq, lte, ne, sql } from 'drizzle-orm';
import { isLive } from '../runs/run.js';
import type { RunRepository } from '../runs/run-repository.js';
import type { OracleDatabase } from '../store/database.js';
import type { PaymentGate } from './admission.js';
import { unreportedUsage } from './schema.js';
import type { MeteredTurn, UsageMeter } from './usage.js';

export interface MeterParts {
  readonly meters: readonly UsageMeter[];
  readonly log: { error(fields: object, text: string): void };
}

/** Timeout of one report; it is retried later. */
const tellMs = 5_000;

/** Concurrent reports, and reports per round. */
const toldAtOnce = 20;
const toldInRound = 500;

/** Reports usage to each meter; false when one failed. Never rejects. */
export async function reportUsage({ meters, log }: MeterParts, turn: MeteredTurn): Promise<boolean> {
  const told = meters.map(async (meter) => {
    try {
      await within(tellMs, 'record', (async () => meter.record(turn))());
      return true;
    } catch (err) {
      log.error({ err, runId: turn.runId }, 'usage not reported, will retry');
      return false;
    }
  });
  return (await Promise.all(told)).every(Boolean);
}

/** The payment gate, and usage not reported yet. */
export interface HoldParts {
  readonly usageOutbox: UsageOutbox;
  readonly gate: Pick<PaymentGate, 'release'>;
  readonly log: MeterParts['log'];
}

/** Usage of a run at its end, if any. */
export interface UsageAtEnd {
  readonly metered: MeteredTurn | undefined;
  /** Whether all meters acknowledged it. */
  readonly isReported: boolean;
  /** The run was suspended, so earlier parts may be unreported. */
  readonly hasWaited: boolean;
}

/**
 * Ends a run and releases its payment hold. The hold is released first, so that a crash does not keep it, unless usage is unreported:
 * then the process that reports the last part releases it. A failed release is retried with a repeated report, which meters count once.
 *
 * @param end receives the usage to report later
 */
export async function endAndRelease(
  { usageOutbox: store, gate, log }: HoldParts,
  runId: string,
  { metered, isReported: isTold, hasWaited }: UsageAtEnd,
  end: (untold: MeteredTurn | undefined) => Promise<unknown>,
): Promise<void> {
  const letGo = async () => {
    try {
      await gate.release?.(runId);
      return true;
    } catch (err) {
      log.error({ err, runId }, 'payment hold not released, will retry');
      return false;
    }
  };
  const owes = !isTold || (hasWaited && (await store.has(runId)));
  const isFree = !owes && (await letGo());
  await end(isTold && (isFree || owes) ? undefined : metered);
  // The usage may have been reported before the run ended, or there is none.
  if (!isFree && !(await store.has(runId))) await letGo();
}

export interface RetryParts extends MeterParts, HoldParts {
  readonly register: Pick<RunRepository, 'find'>;
}

/** Retries reports of any process, and releases the payment hold of an ended run with its last part. */
export async function retryUsageReports(parts: RetryParts): Promise<void> {
  const { usageOutbox: untold, gate, register } = parts;
  const hasEnded = async ({ ownerDid, runId }: MeteredTurn) => {
    const { status = 'finished' } = (await register.find(ownerDid, runId)) ?? {};
    return !isLive(status) && status !== 'waiting';
  };
  const retell = async (turn: MeteredTurn) => {
    const { runId, part } = turn;
    if (!(await reportUsage(parts, turn))) return false;
    const isLast = !(await untold.has(runId, part));
    if (isLast && (await hasEnded(turn))) await gate.release?.(runId);
    await untold.drop(turn);
    // Another part may have been reported at the same time.
    if (!isLast && !(await untold.has(runId)) && (await hasEnded(turn))) await gate.release?.(runId);
    return true;
  };
  for (let seen = 0; seen < toldInRound; seen += toldAtOnce) {
    const told = await Promise.all((await untold.take(toldAtOnce)).map(retell));
    if (told.length < toldAtOnce || told.includes(false)) break;
  }
}

/** Longer than a report to all meters takes (`reportUsage`). */
export const retryMs = 10_000;
export const longestRetryMs = 300_000;

/**
 * Usage not acknowledged by a meter. Stored in the step that ends or suspends its run (`RunRepository.end`, `SuspendedRuns.suspend`),
 * once per run and part. Survives the deletion of run, session and account.
 * Failure: an unavailable store rejects; nothing is half done.
 */
export interface UsageOutbox {
  /**
   * Takes due reports, oldest first. Concurrent callers get different ones. A report that is not dropped is due again after `retryMs`, with
   * doubling intervals up to `longestRetryMs`.
   */
  take(limit: number): Promise<MeteredTurn[]>;
  /** Whether a part of a run is unreported, other than the named one. */
  has(runId: string, besides?: number): Promise<boolean>;
  /** Removes a report that all meters acknowledged. */
  drop(turn: Pick<MeteredTurn, 'runId' | 'part'>): Promise<void>;
}

/** Unreported usage in Postgres or PGlite. Retries use the clock of the database, which all processes share. */
export function sqlUsageOutbox(db: OracleDatabase): UsageOutbox {
  return {
    async take(limit) {
      const { runId, part, attempts, nextAttemptAt } = unreportedUsage;
      const due = db
        .select({ runId, part })
        .from(unreportedUsage)
        .where(lte(nextAttemptAt, sql`now()`))
        .orderBy(asc(nextAttemptAt))
        .limit(limit)
        .for('update', { skipLocked: true });
      const waitMs = sql`least(${retryMs}::float8 * 2 ^ least(${attempts}, 30), ${longestRetryMs}::float8)`;
      const taken = await db
        .update(unreportedUsage)
        .set({ attempts: sql`${attempts} + 1`, nextAttemptAt: sql`now() + ${waitMs} * interval '1 millisecond'` })
        .where(sql`(${runId}, ${part}) in ${due}`)
        .returning();
      return taken.map(({ usage, waitsUntil, ...of }) => ({
        ...{ runId: of.runId, part: of.part, ownerDid: of.ownerDid, ...usage },
        ...(waitsUntil === null ? {} : { waitsUntil }),
      }));
    },

    async has(runId, besides) {
      const isOther = besides === undefined ? undefined : ne(unreportedUsage.part, besides);
      return (await db.$count(unreportedUsage, and(eq(unreportedUsage.runId, runId), isOther))) > 0;
    },

    async drop({ runId, part }) {
      await db.delete(unreportedUsage).where(and(eq(unreportedUsage.runId, runId), eq(unreportedUsage.part, part)));
    },
  };
}

/** For the transaction that ends or suspends a run. */
export async function storeUnreported(
  tx: Pick<OracleDatabase, 'insert'>,
  untold: MeteredTurn | undefined,
): Promise<void> {
  if (untold === undefined) return;
  const { runId, part, ownerDid, waitsUntil, ...usage } = untold;
  await tx.insert(unreportedUsage).values({ runId, part, ownerDid, waitsUntil, usage }).onConflictDoNothing();
}

import { within } from '@mlango/service-kit/within';
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

/** Told at once, and in one round. */
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

/** What a run took, where it took anything. */
export interface UsageAtEnd {
  readonly metered: MeteredTurn | undefined;
  /** Whether all meters know of it. */
  readonly isReported: boolean;
  /** Earlier parts of it may not be told yet. */
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

/** Longer than telling all meters takes (`tell-meters.ts`). */
export const retryMs = 10_000;
export const longestRetryMs = 300_000;

/**
 * What turns took of which a meter could not be told. It is kept in the step in which its run ends or begins to wait
 * (`RunRegister.end`, `PausedTurns.pause`), once for each run and part, and stays when run, session and account are gone.
 *
 * Failure: an unavailable store rejects; nothing is half done.
 */
export interface UsageOutbox {
  /**
   * Takes what is due to be told, the longest due first, each for one of many who take at once. What is not dropped then is due
   * again after `retryMs`, twice as long each time, up to `longestRetryMs`.
   */
  take(limit: number): Promise<MeteredTurn[]>;
  /** Whether some part of a run is not told yet, besides the part that is named. */
  has(runId: string, besides?: number): Promise<boolean>;
  /** All meters know of it now. */
  drop(turn: Pick<MeteredTurn, 'runId' | 'part'>): Promise<void>;
}

/** What meters could not be told, in Postgres or PGlite. Tries go by the clock of the database, which all processes share. */
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

/** For the transaction in which a run ends or begins to wait. */
export async function storeUnreported(
  tx: Pick<OracleDatabase, 'insert'>,
  untold: MeteredTurn | undefined,
): Promise<void> {
  if (untold === undefined) return;
  const { runId, part, ownerDid, waitsUntil, ...usage } = untold;
  await tx.insert(unreportedUsage).values({ runId, part, ownerDid, waitsUntil, usage }).onConflictDoNothing();
}

import { type Background, intervalLoop } from '@mlango/async/interval-loop';
import type { Logger } from '@mlango/service-kit/logging';

/** Rows deleted in one statement: no lock is held for long. */
const batchSize = 500;

/** Pause between two runs, in ms; each process adds up to half of it, so that replicas do not run together. */
const pauseMs = 10 * 60_000;

/** Deletes at most `limit` expired rows, and resolves with their number. */
export type Purge = (limit: number) => Promise<number>;

/**
 * Deletes expired rows in the background, in batches. Replicas may run at the same time: each skips rows that are locked.
 *
 * @param purges of all tables: `retention-periods.ts`, and those of the oracle's connector.
 */
export function startRetentionJob(
  { purges, logger }: { readonly purges: readonly Purge[]; readonly logger: Logger },
  pause = () => pauseMs * (1 + Math.random() / 2),
): Background {
  return intervalLoop(async (signal) => {
    for (const purge of purges) {
      // A failing purge does not stop the others.
      try {
        while (!signal.aborted && (await purge(batchSize)) >= batchSize);
      } catch (error) {
        logger.warn({ err: error }, 'retention job failed');
      }
    }
  }, pause);
}

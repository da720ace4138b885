import { type Background, intervalLoop } from '@mlango/async/interval-loop';
import type { Logger } from '@mlango/service-kit/logging';

/** Rows deleted in one statement: no lock is held for long. */
const batchSize = 500;

/** Pause between two runs, in ms; each process adds up to half of it, so that replicas do not run together. */
const pauseMs = 10 * 60_000;

/**
 * Deletes expired rows in the background, in batches. Replicas may run at the same time: each skips rows that are locked.
 *
 * @param purges each deletes at most this number of rows, and resolves with the number of deleted rows.
 */
export function startRetentionJob(
  { purges, logger }: { readonly purges: readonly ((limit: number) => Promise<number>)[]; readonly logger: Logger },
  pause = () => pauseMs * (1 + Math.random() / 2),
): Background {
  return intervalLoop(async (signal) => {
    try {
      for (const purge of purges) while (!signal.aborted && (await purge(batchSize)) >= batchSize);
    } catch (error) {
      logger.warn({ err: error }, 'retention job failed');
    }
  }, pause);
}

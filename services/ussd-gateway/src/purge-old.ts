import type { Logger } from '@mlango/service-kit/logging';
import { again, type Background } from './again.js';

/** Rows of a table that go at once: no lock is held for long. */
const batchSize = 500;

/** How long after one purge the next one begins, in ms; each process waits up to half as long again, and not with the others. */
const pauseMs = 10 * 60_000;

/**
 * Removes in the background, batch by batch, what serves no guarantee any more. Replicas may do so side by side: each passes over
 * what another one has in hand.
 *
 * @param purges each removes so many at most, and resolves with how many there were.
 */
export function startPurge(
  { purges, logger }: { readonly purges: readonly ((limit: number) => Promise<number>)[]; readonly logger: Logger },
  pause = () => pauseMs * (1 + Math.random() / 2),
): Background {
  return again(async (signal) => {
    try {
      for (const purge of purges) while (!signal.aborted && (await purge(batchSize)) >= batchSize);
    } catch (error) {
      logger.warn({ err: error }, 'what is old is not purged now');
    }
  }, pause);
}

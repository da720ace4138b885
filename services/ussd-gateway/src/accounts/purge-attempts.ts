import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@mlango/service-kit/logging';
import type { AccountStore } from './account-store.js';

/** Rows of a table that go at once: no lock is held for long. */
const batchSize = 500;

/** How long after one purge the next one begins, in ms; each process waits up to half as long again, and not with the others. */
const pauseMs = 10 * 60_000;

export interface Purge {
  /** Resolves once no statement of it is under way. */
  readonly stop: () => Promise<void>;
}

/**
 * Removes in the background, batch by batch, what is left of attempts and serves no guarantee any more. Replicas may do so
 * side by side: each passes over what another one has in hand.
 */
export function startPurge(
  { store, logger }: { readonly store: Pick<AccountStore, 'purgeAttempts'>; readonly logger: Logger },
  pause = () => pauseMs * (1 + Math.random() / 2),
): Purge {
  const controller = new AbortController();
  const { signal } = controller;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await sleep(pause(), undefined, { signal, ref: false }).catch(() => {});
      try {
        while (!signal.aborted && (await store.purgeAttempts(batchSize)) >= batchSize);
      } catch (error) {
        logger.warn({ err: error }, 'old attempts at PINs are not purged now');
      }
    }
  };
  const done = run();
  return {
    stop: () => {
      controller.abort();
      return done;
    },
  };
}

import type { Logger } from '@mlango/service-kit/logging';
import type { Acts } from './acts.js';
import type { IntentStore } from './intent-store.js';

/** How often a process looks for effects that nobody runs. */
const lookEveryMs = 2000;
const mostAtOnce = 20;

/** Intents are known so long after their end. */
const keptMs = 7 * 24 * 3_600_000;
const purgeEveryMs = 600_000;
const purgedAtOnce = 1000;

export interface ResumingEffects {
  /** Ends the looking, and waits so long for the effects under way here. */
  stop(waitMs: number): Promise<void>;
}

/** Goes on with effects whose process died, that are pending, or that did not say what became of them; forgets old ones. */
export function resumeEffects(acts: Acts, store: IntentStore, logger: Logger): ResumingEffects {
  let isAway = false;
  let purgeAtMs = 0;
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      await acts.resumeDue(mostAtOnce);
      if (Date.now() >= purgeAtMs) {
        purgeAtMs = Date.now() + purgeEveryMs;
        await store.purge(keptMs, purgedAtOnce);
      }
      isAway = false;
    } catch (error) {
      if (!isAway) logger.warn({ err: error }, 'effects under way cannot be looked for now');
      isAway = true;
    }
  };
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, lookEveryMs);
  timer.unref();
  return {
    stop: async (waitMs) => {
      clearInterval(timer);
      const late = new Promise<void>((resolve) => setTimeout(resolve, waitMs).unref());
      await Promise.race([Promise.resolve(looking).then(() => acts.idle()), late]);
    },
  };
}

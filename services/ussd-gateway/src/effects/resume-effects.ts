import { intervalLoop } from '@mlango/async/interval-loop';
import { within } from '@mlango/async/within';
import type { Logger } from '@mlango/service-kit/logging';
import type { EffectRunner } from './effect-runner.js';

/** Interval at which a process looks for effects without a lease. */
const searchEachMs = 2000;
const mostAtOnce = 20;

export interface ResumingEffects {
  /** Stops the interval, and waits this long for local running effects. */
  stop(waitMs: number): Promise<void>;
}

/** Continues effects that are pending, failed, or belong to a crashed process. */
export function resumeEffects(runner: EffectRunner, logger: Logger): ResumingEffects {
  let hasFailed = false;
  const search = intervalLoop(
    async () => {
      try {
        await runner.resumeDue(mostAtOnce);
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) logger.warn({ err: error }, 'search for due effects failed, will retry');
        hasFailed = true;
      }
    },
    () => searchEachMs,
  );
  return {
    stop: async (waitMs) => {
      const stopped = search.stop().then(() => runner.idle());
      await within(waitMs, 'the end of running effects', stopped).catch(() => {});
    },
  };
}

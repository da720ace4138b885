import { intervalLoop } from '@mlango/async/interval-loop';
import { within } from '@mlango/async/within';
import type { Logger } from '@mlango/service-kit/logging';
import type { EffectRunner } from './effect-runner.js';

/** Interval at which a process looks for effects without a lease. */
const lookEveryMs = 2000;
const mostAtOnce = 20;

export interface ResumingEffects {
  /** Stops the interval, and waits this long for local running effects. */
  stop(waitMs: number): Promise<void>;
}

/** Continues effects that are pending, failed, or belong to a crashed process. */
export function resumeEffects(acts: EffectRunner, logger: Logger): ResumingEffects {
  let hasFailed = false;
  const looking = intervalLoop(
    async () => {
      try {
        await acts.resumeDue(mostAtOnce);
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) logger.warn({ err: error }, 'search for due effects failed, will retry');
        hasFailed = true;
      }
    },
    () => lookEveryMs,
  );
  return {
    stop: async (waitMs) => {
      const over = looking.stop().then(() => acts.idle());
      await within(waitMs, 'the end of effects under way', over).catch(() => {});
    },
  };
}

import { intervalLoop } from '@mlango/service-kit/async';
import type { Logger } from '@mlango/service-kit/logging';
import { within } from '@mlango/service-kit/within';
import type { EffectRunner } from './effect-runner.js';

/** How often a process looks for effects that nobody runs. */
const lookEveryMs = 2000;
const mostAtOnce = 20;

export interface ResumingEffects {
  /** Ends the looking, and waits so long for the effects under way here. */
  stop(waitMs: number): Promise<void>;
}

/** Goes on with effects whose process died, that are pending, or that did not say what became of them. */
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

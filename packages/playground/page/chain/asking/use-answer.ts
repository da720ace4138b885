import { useCallback, useEffect, useState } from 'react';
import { useAsOf } from '../here/chain-href.js';
import { answeredAhead, takeAhead } from './ahead.js';
import { type Answer, askChain } from './ask-chain.js';

export interface Asked {
  /** The last answer there was, until the next one comes. */
  readonly answer: Answer | undefined;
  readonly isLoading: boolean;
  readonly askAgain: () => void;
}

/**
 * Asks when the path changes, or the block that is looked at. What was answered before stays until there is something
 * newer, so that nothing jumps. Without a path nothing is asked.
 */
export function useAnswer(path: string | undefined): Asked {
  const at = useAsOf();
  const [answer, setAnswer] = useState<Answer | undefined>(() => (at === undefined ? answeredAhead(path) : undefined));
  const [asking, setAsking] = useState<string>();
  const [round, setRound] = useState(0);
  const askAgain = useCallback(() => setRound((count) => count + 1), []);

  useEffect(() => {
    if (path === undefined) return undefined;
    const controller = new AbortController();
    setAsking(path);
    const asked = at === undefined ? takeAhead(path) : undefined;
    (asked ?? askChain(path, controller.signal, at)).then(
      (next) => {
        if (controller.signal.aborted) return;
        setAnswer(next);
        setAsking(undefined);
      },
      // Only an abort rejects: somebody asked for something else meanwhile.
      () => undefined,
    );
    return () => controller.abort();
  }, [path, at, round]);

  return { answer, isLoading: asking !== undefined || (answer === undefined && path !== undefined), askAgain };
}

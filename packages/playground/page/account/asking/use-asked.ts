import { useCallback, useEffect, useState } from 'react';
import { useAskOracle } from './use-ask-oracle.js';

export interface AskedOracle<Reply> {
  /** The last answer, until the next one comes. */
  readonly reply: Reply | undefined;
  readonly error: unknown;
  readonly askAgain: () => void;
}

/** What a path of the oracle answers with. */
export function useAsked<Reply>(path: string): AskedOracle<Reply> {
  const ask = useAskOracle();
  const [asked, setAsked] = useState<{ readonly reply?: Reply; readonly error?: unknown }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isLeft = false;
    ask<Reply>(path).then(
      (reply) => isLeft || setAsked({ reply }),
      (error: unknown) => isLeft || setAsked((last) => ({ ...last, error })),
    );
    return () => {
      isLeft = true;
    };
  }, [ask, path, round]);
  const askAgain = useCallback(() => setRound((count) => count + 1), []);
  return { reply: asked.reply, error: asked.error, askAgain };
}

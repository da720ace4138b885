import { useEffect, useState } from 'react';
import { type Answer, askChain } from '../asking/ask-chain.js';
import { useAsOf } from '../here/chain-href.js';
import { formsOf, type Sought } from './forms-of.js';

export interface Finding {
  readonly sought: Sought;
  readonly answer: Answer;
}

/** What a text may name, each asked for; undefined while that is under way. */
export function useFindings(text: string): readonly Finding[] | undefined {
  const at = useAsOf();
  const [found, setFound] = useState<{ readonly of: string; readonly findings: readonly Finding[] }>();
  const of = `${text} ${at ?? ''}`;
  useEffect(() => {
    const controller = new AbortController();
    Promise.all(
      formsOf(text).map(async (sought) => ({ sought, answer: await askChain(sought.path, controller.signal, at) })),
    ).then(
      (findings) => setFound({ of, findings }),
      // Only an abort rejects: something else is looked for meanwhile.
      () => undefined,
    );
    return () => controller.abort();
  }, [text, at, of]);
  return found?.of === of ? found.findings : undefined;
}

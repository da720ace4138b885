import type { ReactNode } from 'react';
import { useAnswer } from '../asking/use-answer.js';
import { ChainLink } from '../here/chain-link.js';
import { Outcome } from './outcome.js';
import { RawAnswer } from './raw-answer.js';

interface SingleProps {
  /** What it is, in a word. */
  readonly kind: string;
  readonly id: string;
  readonly path: string;
  /** The list it is in, where there is one, and its name. */
  readonly list?: readonly [view: string, name: string];
  readonly children: (body: never) => ReactNode;
}

/** One thing of the chain, and the answer behind it. */
export function Single({ kind, id, path, list, children }: SingleProps) {
  const asked = useAnswer(path);
  return (
    <section className="stack" aria-label={`${kind} ${id}`} aria-busy={asked.isLoading}>
      {list === undefined ? null : (
        <p>
          <ChainLink to={[list[0]]}>← All {list[1]}</ChainLink>
        </p>
      )}
      <Outcome asked={asked} sought={id}>
        {(body) => children(body as never)}
      </Outcome>
      <RawAnswer asked={asked} />
    </section>
  );
}

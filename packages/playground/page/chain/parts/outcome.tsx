import type { ReactNode } from 'react';
import { messageOf } from '../asking/ask-chain.js';
import type { Asked } from '../asking/use-answer.js';

interface OutcomeProps {
  readonly asked: Asked;
  /** A line or two: no room is kept for more while it is awaited. */
  readonly isShort?: boolean;
  readonly children: (body: unknown) => ReactNode;
}

/** What was answered, or why there is nothing to show. */
export function Outcome({ asked, isShort = false, children }: OutcomeProps) {
  const { answer, askAgain } = asked;
  if (answer === undefined) return <p className={`quiet waiting ${isShort ? 'short' : ''}`}>Asking the chain…</p>;
  if (answer.ok) return children(answer.body);
  return (
    <div className="notice bad row spread" role="alert">
      <span>
        {answer.status === 0 ? '' : `${answer.status}: `}
        {messageOf(answer)}
      </span>
      <button type="button" className="tight" onClick={askAgain}>
        Ask again
      </button>
    </div>
  );
}

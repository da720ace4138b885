import type { ReactNode } from 'react';
import type { Attempt } from '../asking/use-attempt.js';

interface OutcomeLineProps {
  readonly outcome: Attempt['outcome'];
  /** Stands beside what went well, such as a way to undo it. */
  readonly children?: ReactNode;
}

/** Says what has come of something, to everybody who reads or hears it. */
export function OutcomeLine({ outcome, children }: OutcomeLineProps) {
  return (
    <>
      <div role="status" className={outcome === undefined || outcome.isBad ? 'unseen' : 'notice row spread'}>
        {outcome === undefined || outcome.isBad ? null : (
          <>
            <span>{outcome.text}</span>
            {children}
          </>
        )}
      </div>
      {outcome?.isBad === true ? (
        <p role="alert" className="notice bad">
          {outcome.text}
        </p>
      ) : null}
    </>
  );
}

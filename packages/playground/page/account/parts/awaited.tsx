import { OracleRequestError } from '@mlango/oracle-client';
import type { ReactNode } from 'react';
import type { AskedOracle } from '../asking/use-asked.js';

interface AwaitedProps<Reply> {
  readonly asked: Pick<AskedOracle<Reply>, 'reply' | 'error' | 'askAgain'>;
  /** What an oracle without it is told of. */
  readonly absent: ReactNode;
  readonly children: (reply: Reply) => ReactNode;
}

/** What the oracle answered, or why there is nothing to show. */
export function Awaited<Reply>({ asked: { reply, error, askAgain }, absent, children }: AwaitedProps<Reply>) {
  if (error instanceof OracleRequestError && error.statusCode === 404) return <div className="notice">{absent}</div>;
  return (
    <>
      {error === undefined || error === null ? null : (
        <div className="notice bad row spread" role="alert">
          <span>
            {error instanceof Error
              ? error.message
              : 'The oracle cannot be reached. Check your connection, then retry.'}
          </span>
          <button type="button" className="tight" onClick={askAgain}>
            Retry
          </button>
        </div>
      )}
      {reply === undefined ? (
        error === undefined || error === null ? (
          <p className="quiet">Loading…</p>
        ) : null
      ) : (
        children(reply)
      )}
    </>
  );
}

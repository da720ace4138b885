import { OracleRequestError } from '@mlango/oracle-client';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Attempt, OracleQuery } from './oracle-requests.js';

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** A time of the wire as a day, as people say it. Pure. */
export function formatDay(iso: string): string {
  return day.format(new Date(iso));
}

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

interface AwaitedProps<Reply> {
  readonly asked: Pick<OracleQuery<Reply>, 'reply' | 'error' | 'askAgain'>;
  /** What an oracle without it is told of. */
  readonly absent: ReactNode;
  readonly children: (reply: Reply) => ReactNode;
}

/** What the oracle answered, or why there is nothing to show. */
export function Loaded<Reply>({ asked: { reply, error, askAgain }, absent, children }: AwaitedProps<Reply>) {
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

interface AskedTwiceProps {
  /** What it does, as its button says. */
  readonly does: string;
  /** What comes of it, as a question. */
  readonly really: string;
  readonly isBusy?: boolean;
  readonly className?: string;
  readonly onSure: () => void;
}

/** A button for what cannot be undone: it asks once more, in its own place. */
export function ConfirmButton({ does, really, isBusy = false, className = 'bad', onSure }: AskedTwiceProps) {
  const [isAsking, setIsAsking] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(isAsking);
  useEffect(() => {
    // The button that was pressed is gone: what does no harm has the focus then.
    if (isAsking) keep.current?.focus();
    else if (wasAsking.current) first.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (!isAsking)
    return (
      <button ref={first} type="button" className={className} disabled={isBusy} onClick={() => setIsAsking(true)}>
        {does}
      </button>
    );
  return (
    <fieldset
      className="asked-twice"
      onKeyDown={({ key }) => {
        if (key === 'Escape') setIsAsking(false);
      }}
    >
      <legend>{really}</legend>
      <button
        type="button"
        className="bad"
        disabled={isBusy}
        onClick={() => {
          setIsAsking(false);
          onSure();
        }}
      >
        {does}
      </button>
      <button ref={keep} type="button" onClick={() => setIsAsking(false)}>
        Cancel
      </button>
    </fieldset>
  );
}

import { OracleRequestError } from '@mlango/oracle-client';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Attempt, OracleQuery } from './oracle-requests.js';

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** A timestamp as a localised date. Pure. */
export function formatDay(iso: string): string {
  return day.format(new Date(iso));
}

interface OutcomeLineProps {
  readonly outcome: Attempt['outcome'];
  /** Shown next to a success message, such as an undo button. */
  readonly children?: ReactNode;
}

/** Shows and announces the result of an attempt. */
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
  readonly query: Pick<OracleQuery<Reply>, 'reply' | 'error' | 'retry'>;
  /** Shown for an oracle without this feature. */
  readonly absent: ReactNode;
  readonly children: (reply: Reply) => ReactNode;
}

/** The loaded content, or the reason for its absence. */
export function Loaded<Reply>({ query: { reply, error, retry }, absent, children }: AwaitedProps<Reply>) {
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
          <button type="button" className="tight" onClick={retry}>
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

interface ConfirmButtonProps {
  /** The label of the button. */
  readonly does: string;
  /** The consequence, as a question. */
  readonly really: string;
  readonly isBusy?: boolean;
  readonly className?: string;
  readonly onSure: () => void;
}

/** A button for an irreversible action, with a confirmation in its place. */
export function ConfirmButton({ does, really, isBusy = false, className = 'bad', onSure }: ConfirmButtonProps) {
  const [isConfirming, setIsConfirming] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const wasConfirming = useRef(isConfirming);
  useEffect(() => {
    // The pressed button was removed: the harmless choice gets the focus.
    if (isConfirming) cancel.current?.focus();
    else if (wasConfirming.current) first.current?.focus();
    wasConfirming.current = isConfirming;
  }, [isConfirming]);
  if (!isConfirming)
    return (
      <button ref={first} type="button" className={className} disabled={isBusy} onClick={() => setIsConfirming(true)}>
        {does}
      </button>
    );
  return (
    <fieldset
      className="confirm"
      onKeyDown={({ key }) => {
        if (key === 'Escape') setIsConfirming(false);
      }}
    >
      <legend>{really}</legend>
      <button
        type="button"
        className="bad"
        disabled={isBusy}
        onClick={() => {
          setIsConfirming(false);
          onSure();
        }}
      >
        {does}
      </button>
      <button ref={cancel} type="button" onClick={() => setIsConfirming(false)}>
        Cancel
      </button>
    </fieldset>
  );
}

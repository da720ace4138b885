import { useEffect, useRef, useState } from 'react';

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
export function AskedTwice({ does, really, isBusy = false, className = 'bad', onSure }: AskedTwiceProps) {
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

import { type FormEvent, useRef, useState } from 'react';
import type { Handset } from './handset.js';
import { Keypad } from './keypad.js';
import { type Key, type Tap, tapLetter } from './multi-tap.js';
import { Screen } from './screen.js';
import type { Handsets } from './use-handsets.js';

/** A phone to hold: a screen, a keypad, a green and a red key. */
export function HandsetView({ handsets }: { readonly handsets: Handsets }) {
  const { current, press, hangUp, type, secondsLeft } = handsets;
  const [inLetters, setInLetters] = useState(false);
  const lastTap = useRef<Tap>(undefined);
  const isOpen = current.phase === 'asking' || current.phase === 'waiting';

  function onKey(key: Key): void {
    const tap = { key, atMs: performance.now() };
    type(inLetters ? tapLetter(current.typed, tap, lastTap.current) : current.typed + key);
    lastTap.current = tap;
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    press();
  }

  return (
    <form
      className="handset"
      aria-label={`Phone ${current.number}`}
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) hangUp();
      }}
    >
      <Screen key={current.number} handset={current} secondsLeft={secondsLeft} onType={type} />
      <div className="call-keys">
        <button type="submit" className="call-key" disabled={current.phase === 'waiting'}>
          {labelOf(current)}
        </button>
        <button
          type="button"
          aria-label="Erase"
          onClick={() => type(current.typed.slice(0, -1))}
          disabled={current.typed === ''}
        >
          ⌫
        </button>
        <button type="button" className="end-key" onClick={hangUp} disabled={!isOpen}>
          Cancel
        </button>
      </div>
      <Keypad onKey={onKey} />
      <button
        type="button"
        className="plain tight mode-key"
        aria-pressed={inLetters}
        onClick={() => setInLetters(!inLetters)}
      >
        Keys write {inLetters ? 'letters' : 'digits'}
      </button>
    </form>
  );
}

function labelOf({ phase, hops, typed, lastCode }: Handset): string {
  if (phase === 'asking' || phase === 'waiting') return 'Send';
  return hops.length > 0 && typed === lastCode ? 'Redial' : 'Call';
}

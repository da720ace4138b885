import { type FormEvent, useRef, useState } from 'react';
import type { Handset } from './handset.js';
import { sizeOf } from './message-size.js';
import { type Key, keys, letters, type Tap, tapLetter } from './multi-tap.js';
import type { Handsets } from './use-handsets.js';

const keyNames: Partial<Record<Key, string>> = { '*': 'star', '#': 'hash' };

function Keypad({ onKey }: { readonly onKey: (key: Key) => void }) {
  return (
    <div className="keypad">
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          aria-label={keyNames[key]}
          data-letters={shownLetters(key)}
          onClick={() => onKey(key)}
        >
          {key}
        </button>
      ))}
    </div>
  );
}

/** Letters below a digit. Screen readers announce the digit only. */
function shownLetters(key: Key): string {
  if (/[2-9]/.test(key)) return letters[key].slice(0, -1);
  return key === '0' ? '␣' : '\u00a0';
}

const states: Readonly<Record<Handset['phase'], string>> = {
  idle: 'Ready',
  waiting: 'Sending…',
  open: 'In session',
  closed: 'No session',
};

interface ScreenProps {
  readonly handset: Handset;
  readonly secondsLeft: number | undefined;
  readonly onType: (text: string) => void;
}

/** The screen: the message of the gateway and the input. */
function Screen({ handset, secondsLeft, onType }: ScreenProps) {
  const { phase, message, typed } = handset;
  const { used, limit, unit } = sizeOf(message);
  const isOpen = phase === 'open' || phase === 'waiting';
  return (
    <div className="screen">
      <div className="screen-bar">
        <span data-testid="phase">{states[phase]}</span>
        <span aria-hidden="true">{secondsLeft === undefined ? '' : clock(secondsLeft)}</span>
      </div>
      <output className="screen-message" aria-live="polite" data-testid="message">
        {message}
      </output>
      <div className="screen-size">{isOpen ? `${used} of ${limit} ${unit}` : ''}</div>
      <input
        className="screen-input"
        aria-label={isOpen ? 'Reply' : 'Number to dial'}
        autoComplete="off"
        autoCapitalize="words"
        spellCheck={false}
        maxLength={160}
        value={typed}
        onChange={({ target }) => onType(target.value)}
      />
    </div>
  );
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A phone to hold: a screen, a keypad, a green and a red key. */
export function HandsetView({ handsets }: { readonly handsets: Handsets }) {
  const { current, press, hangUp, type, secondsLeft } = handsets;
  const [inLetters, setInLetters] = useState(false);
  const lastTap = useRef<Tap>(undefined);
  const isOpen = current.phase === 'open' || current.phase === 'waiting';

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
  if (phase === 'open' || phase === 'waiting') return 'Send';
  return hops.length > 0 && typed === lastCode ? 'Redial' : 'Call';
}

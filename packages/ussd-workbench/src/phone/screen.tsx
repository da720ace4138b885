import type { Handset } from './handset.js';
import { sizeOf } from './message-size.js';

const states: Readonly<Record<Handset['phase'], string>> = {
  idle: 'Ready',
  waiting: 'Sending…',
  asking: 'In session',
  closed: 'No session',
};

interface ScreenProps {
  readonly handset: Handset;
  readonly secondsLeft: number | undefined;
  readonly onType: (text: string) => void;
}

/** The glass: what the gateway said, and what is being typed. */
export function Screen({ handset, secondsLeft, onType }: ScreenProps) {
  const { phase, message, typed } = handset;
  const { used, limit, unit } = sizeOf(message);
  const isOpen = phase === 'asking' || phase === 'waiting';
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

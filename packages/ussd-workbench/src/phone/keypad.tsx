import { type Key, keys, letters } from './multi-tap.js';

const spoken: Partial<Record<Key, string>> = { '*': 'star', '#': 'hash' };

export function Keypad({ onKey }: { readonly onKey: (key: Key) => void }) {
  return (
    <div className="keypad">
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          aria-label={spoken[key]}
          data-letters={shownLetters(key)}
          onClick={() => onKey(key)}
        >
          {key}
        </button>
      ))}
    </div>
  );
}

/** What is printed below a digit. Readers of the screen hear the digit alone. */
function shownLetters(key: Key): string {
  if (/[2-9]/.test(key)) return letters[key].slice(0, -1);
  return key === '0' ? '␣' : '\u00a0';
}

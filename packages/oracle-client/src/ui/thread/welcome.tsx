import type { ReactElement } from 'react';
import { useWords } from '../words/words.js';

export interface Suggestion {
  readonly says: string;
  /** What one sees of it. */
  readonly shows?: string;
}

interface WelcomeProps {
  readonly suggestions: readonly Suggestion[];
  readonly onChoose: (says: string) => void;
}

/** Where a conversation begins: a few things to say. */
export function Welcome({ suggestions, onChoose }: WelcomeProps): ReactElement {
  const words = useWords().thread;
  return (
    <div className="mlango-welcome">
      <h2>{words.welcome}</h2>
      {suggestions.length === 0 ? null : (
        <ul className="mlango-suggestions" aria-label={words.suggestions}>
          {suggestions.map(({ says, shows }) => (
            <li key={says}>
              <button type="button" className="mlango-suggestion" onClick={() => onChoose(says)}>
                <span>{says}</span>
                {shows === undefined ? null : <span className="mlango-muted">{shows}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

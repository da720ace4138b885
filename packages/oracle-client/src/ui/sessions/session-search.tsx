import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { errorOf } from '../../requests/error-of.js';
import type { FoundMessage } from '../../sessions/session.js';
import type { IOracleSessions } from '../../sessions/use-oracle-sessions.js';
import { useWords } from '../words/words.js';

interface SessionSearchProps {
  readonly search: IOracleSessions['searchSessions'];
  readonly onSelect: (sessionId: string, messageId: string) => void;
  /** What is listed while nothing is searched for. */
  readonly children: ReactNode;
}

/** Who goes on typing is not searched for yet. */
const pauseMs = 250;

/** A field for words, and the messages that have them. Arrow keys go through what was found, Escape goes back. */
export function SessionSearch({ search, onSelect, children }: SessionSearchProps): ReactElement {
  const words = useWords().sessions;
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<readonly FoundMessage[] | Error>();
  const wanted = typed.trim();
  useEffect(() => {
    setFound(undefined);
    if (wanted === '') return undefined;
    const left = new AbortController();
    const look = async () => {
      const result = await search(wanted, left.signal).catch(errorOf);
      if (!left.signal.aborted) setFound(result);
    };
    const timer = setTimeout(() => void look(), pauseMs);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [search, wanted]);

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.key === 'Escape' && typed !== '') {
      event.preventDefault();
      setTyped('');
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || wanted === '') return;
    event.preventDefault();
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
    stops[stops.indexOf(event.target as HTMLElement) + step]?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its field and buttons are what is pressed; the keys go between them.
    <div className="mlango-search" onKeyDown={onKeyDown}>
      <input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        maxLength={200}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {wanted === '' ? children : <Found found={found} onSelect={onSelect} />}
    </div>
  );
}

interface FoundProps {
  readonly found: readonly FoundMessage[] | Error | undefined;
  readonly onSelect: SessionSearchProps['onSelect'];
}

function Found({ found, onSelect }: FoundProps): ReactElement {
  const words = useWords().sessions;
  if (found instanceof Error) {
    return (
      <p className="mlango-notice mlango-bad" role="alert">
        {found.message}
      </p>
    );
  }
  return (
    <>
      <p className="mlango-muted" role="status">
        {found === undefined ? words.loading : words.found(found.length)}
      </p>
      <ul aria-label={words.search}>
        {found?.map(({ messageId, sessionId, title, snippet }) => (
          <li key={messageId}>
            <button type="button" className="mlango-found" onClick={() => onSelect(sessionId, messageId)}>
              <strong>{title}</strong>
              <span className="mlango-muted">{snippet}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

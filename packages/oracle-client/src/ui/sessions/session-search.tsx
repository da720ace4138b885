import { type ChangeEvent, type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { errorOf } from '../../api/requests/values.js';
import type { FoundMessage } from '../../api/sessions.js';
import type { IOracleSessions } from '../../hooks/use-oracle-sessions.js';
import { useWords } from '../../words/words.js';

interface SessionSearchProps {
  readonly search: IOracleSessions['searchSessions'];
  readonly onSelect: (sessionId: string, messageId: string) => void;
  /** Shown without a search text. */
  readonly children: ReactNode;
}

/** A search field, and the messages found. Arrow keys move through the results, Escape closes the search. */
export function SessionSearch({ search, onSelect, children }: SessionSearchProps): ReactElement {
  const words = useWords().sessions;
  const { boxProps, fieldProps, isOn, found } = useSessionSearch(search);
  return (
    <div className="mlango-search" {...boxProps}>
      <input {...fieldProps} aria-label={words.search} placeholder={words.search} />
      {isOn ? <Found found={found} onSelect={onSelect} /> : children}
    </div>
  );
}

interface FoundProps {
  readonly found: SessionSearchParts['found'];
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

/** Waits until typing pauses. */
const pauseMs = 250;

/** The state of a search in all conversations, without styles. */
export interface SessionSearchParts {
  /** For the element around the field and the results: arrow keys move through its field and buttons, Escape empties the field. */
  readonly boxProps: { readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void };
  readonly fieldProps: {
    readonly type: 'search';
    readonly maxLength: number;
    readonly value: string;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
  /** Something is searched for. */
  readonly isOn: boolean;
  /** Undefined during the search. */
  readonly found: readonly FoundMessage[] | Error | undefined;
}

export function useSessionSearch(search: IOracleSessions['searchSessions']): SessionSearchParts {
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

  return {
    boxProps: { onKeyDown },
    fieldProps: { type: 'search', maxLength: 200, value: typed, onChange: ({ target }) => setTyped(target.value) },
    isOn: wanted !== '',
    found,
  };
}

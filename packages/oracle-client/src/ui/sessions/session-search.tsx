import type { ReactElement, ReactNode } from 'react';
import type { IOracleSessions } from '../../sessions/use-oracle-sessions.js';
import { useWords } from '../words/words.js';
import { type SessionSearchParts, useSessionSearch } from './use-session-search.js';

interface SessionSearchProps {
  readonly search: IOracleSessions['searchSessions'];
  readonly onSelect: (sessionId: string, messageId: string) => void;
  /** What is listed while nothing is searched for. */
  readonly children: ReactNode;
}

/** A field for words, and the messages that have them. Arrow keys go through what was found, Escape goes back. */
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

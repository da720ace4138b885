import { type ReactElement, useEffect, useRef } from 'react';
import { Icon } from '../icon.js';
import { UndoNotice } from '../undo/undo-notice.js';
import { useWords } from '../words/words.js';
import { SessionItem } from './session-item.js';
import { SessionSearch } from './session-search.js';
import { type SessionListOptions, useSessionList } from './use-session-list.js';

export interface SessionsProps extends SessionListOptions {
  /** Called as well where the user has chosen what to go on with, and not deleted what is shown. */
  readonly onChosen?: () => void;
}

/** The user's conversations, newest first under the days they are of: to be searched, gone on with, renamed, archived and deleted. */
export function Sessions({ sessions, sessionId, onSelect, onChosen }: SessionsProps): ReactElement {
  const words = useWords().sessions;
  const { isLoading, error, hasNextPage, fetchNextPage, deletions, isShowingArchived, showArchived } = sessions;
  const { groups, begin, problem } = useSessionList({ sessions, sessionId, onSelect });
  const undoable = deletions.undoable.length;

  const list = useRef<HTMLElement>(null);
  const isRemoving = useRef(false);
  // What had the focus is gone: it goes to what takes that back.
  useEffect(() => {
    if (isRemoving.current) list.current?.querySelector<HTMLElement>('.mlango-undo button')?.focus();
    isRemoving.current = false;
  });
  const chosen = (choose: () => void) => () => {
    onChosen?.();
    choose();
  };

  return (
    <nav ref={list} className="mlango-sessions" aria-label={words.title}>
      <button type="button" className="mlango-button mlango-new" onClick={chosen(begin)}>
        <Icon name="plus" />
        {words.begin}
      </button>
      {problem === undefined ? null : (
        <p className="mlango-notice mlango-bad" role="alert">
          {problem}
        </p>
      )}
      <SessionSearch
        search={sessions.searchSessions}
        onSelect={(found, messageId) => chosen(() => onSelect(found, messageId))()}
      >
        {groups.length > 0 || error !== null ? null : (
          <p className="mlango-muted">{isLoading ? words.loading : words.none}</p>
        )}
        {groups.map(({ name, sessions: listed }) => (
          <section key={name} aria-label={name}>
            <h3>{name}</h3>
            <ul>
              {listed.map((session) => (
                <SessionItem
                  key={session.sessionId}
                  session={session}
                  isArchived={isShowingArchived}
                  onOpen={chosen(session.open)}
                  onRemove={() => {
                    isRemoving.current = true;
                    session.remove();
                  }}
                />
              ))}
            </ul>
          </section>
        ))}
        {hasNextPage ? (
          <button type="button" className="mlango-button" onClick={() => void fetchNextPage()}>
            {words.more}
          </button>
        ) : null}
        <button type="button" className="mlango-button mlango-quiet" onClick={() => showArchived(!isShowingArchived)}>
          {isShowingArchived ? words.notArchived : words.archived}
        </button>
      </SessionSearch>
      <div className="mlango-undo-place" role="status">
        {undoable === 0 ? null : (
          <UndoNotice
            deletions={deletions}
            said={words.deleted(undoable)}
            onLeft={() => list.current?.querySelector('button')?.focus()}
          />
        )}
      </div>
    </nav>
  );
}

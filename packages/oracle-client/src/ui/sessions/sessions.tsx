import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { useWords } from '../../words/words.js';
import { Icon, IconButton } from '../parts/icon.js';
import { SessionItem } from './session-item.js';
import { SessionSearch } from './session-search.js';
import { type SessionListOptions, useSessionList } from './use-session-list.js';

export interface SessionsProps extends SessionListOptions {
  /** Also called on a click on the current conversation, so that a drawer can close. */
  readonly onChosen?: () => void;
}

/** The user's conversations by date, newest first: search, open, rename and archive. Archived ones can be deleted. */
export function Sessions({ sessions, sessionId, onSelect, onChosen }: SessionsProps): ReactElement {
  const words = useWords().sessions;
  const { isLoading, error, hasNextPage, fetchNextPage, isShowingArchived, showArchived } = sessions;
  const { groups, begin, undo, problem } = useSessionList({ sessions, sessionId, onSelect });

  const list = useRef<HTMLElement>(null);
  const undoButton = useRef<HTMLButtonElement>(null);
  const hasUndo = undo !== undefined;
  const focusFirst = () => list.current?.querySelector('button')?.focus();
  // The focused element was removed with its conversation.
  useEffect(() => {
    if (hasUndo) undoButton.current?.focus();
  }, [hasUndo]);
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
                    session.remove();
                    focusFirst();
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
        {undo === undefined ? null : (
          <p className="mlango-notice mlango-undo">
            {words.archivedNow}
            <button
              type="button"
              className="mlango-button"
              ref={undoButton}
              onClick={() => {
                undo();
                focusFirst();
              }}
            >
              {words.undo}
            </button>
          </p>
        )}
      </div>
    </nav>
  );
}

/** A chat with the list of conversations next to it, or in a drawer on narrow screens. */
export function SessionsFrame({ children, ...props }: SessionsProps & { readonly children: ReactNode }): ReactElement {
  const words = useWords().frame;
  const drawer = useRef<HTMLDialogElement>(null);
  return (
    <>
      <div className="mlango-aside">
        <Sessions {...props} />
      </div>
      <IconButton
        icon="menu"
        name={words.openSessions}
        className="mlango-open-sessions"
        onPress={() => drawer.current?.showModal()}
      />
      <dialog ref={drawer} className="mlango-drawer" aria-label={words.sessions}>
        <IconButton icon="close" name={words.close} onPress={() => drawer.current?.close()} />
        <Sessions {...props} onChosen={() => drawer.current?.close()} />
      </dialog>
      {children}
    </>
  );
}

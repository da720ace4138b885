import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import type { IDeletions } from '../../hooks/use-deletions.js';
import { useEarlyEffect } from '../../hooks/use-latest.js';
import { useWords } from '../../words/words.js';
import { Icon, IconButton } from '../parts/icon.js';
import { SessionItem } from './session-item.js';
import { SessionSearch } from './session-search.js';
import { type SessionListOptions, useSessionList } from './use-session-list.js';

export interface SessionsProps extends SessionListOptions {
  /** Also called on a click on the current conversation, so that a drawer can close. */
  readonly onChosen?: () => void;
}

/** The user's conversations by date, newest first: search, open, rename, archive and delete. */
export function Sessions({ sessions, sessionId, onSelect, onChosen }: SessionsProps): ReactElement {
  const words = useWords().sessions;
  const { isLoading, error, hasNextPage, fetchNextPage, deletions, isShowingArchived, showArchived } = sessions;
  const { groups, begin, problem } = useSessionList({ sessions, sessionId, onSelect });
  const undoable = deletions.undoable.length;

  const list = useRef<HTMLElement>(null);
  const isRemoving = useRef(false);
  // The focused element was removed: focus the undo button.
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

interface UndoNoticeProps {
  readonly deletions: IDeletions;
  readonly said: string;
  /** Its time is over while the focus is in it. */
  readonly onLeft: () => void;
}

/** Notice of a deletion with an undo button. Focus or hover restarts the undo period. */
function UndoNotice({ deletions, said, onLeft }: UndoNoticeProps): ReactElement {
  const { undo: word } = useWords().sessions;
  const { undo, linger } = deletions;
  const button = useRef<HTMLButtonElement>(null);
  useEarlyEffect(() => {
    const shown = button.current;
    return () => {
      if (shown !== null && shown === document.activeElement) onLeft();
    };
  }, []);
  return (
    <p className="mlango-notice mlango-undo" onFocus={linger} onMouseEnter={linger}>
      {said}
      <button type="button" className="mlango-button" ref={button} onClick={undo}>
        {word}
      </button>
    </p>
  );
}

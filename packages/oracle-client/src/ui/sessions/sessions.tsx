import { type ReactElement, useEffect, useRef, useState } from 'react';
import { errorOf } from '../../requests/error-of.js';
import type { IOracleSessions } from '../../sessions/use-oracle-sessions.js';
import { Icon } from '../icon.js';
import { UndoNotice } from '../undo/undo-notice.js';
import { useWords } from '../words/words.js';
import { byDate, type DateGroup } from './date-groups.js';
import { SessionItem } from './session-item.js';
import { SessionSearch } from './session-search.js';

export interface SessionsProps {
  readonly sessions: IOracleSessions;
  /** The one that is shown; empty for none. */
  readonly sessionId: string;
  /** Empty for a new one. With a message of it, where one was searched for. */
  readonly onSelect: (sessionId: string, messageId?: string) => void;
  /** Called as well where the user has chosen what to go on with, and not deleted what is shown. */
  readonly onChosen?: () => void;
}

/** The user's conversations, newest first under the days they are of: to be searched, gone on with, renamed, archived and deleted. */
export function Sessions({ sessions, sessionId, onSelect, onChosen }: SessionsProps): ReactElement {
  const { language, sessions: words } = useWords();
  const [problem, setProblem] = useState('');
  const { sessions: all, isLoading, error, hasNextPage, fetchNextPage, renameSession, deletions } = sessions;
  const { archiveSession, isShowingArchived, showArchived } = sessions;
  const nameOf = (group: DateGroup) =>
    typeof group === 'string' ? words[group] : group.toLocaleDateString(language, { month: 'long', year: 'numeric' });
  const undoable = deletions.undoable.length;
  const told = problem || (error ?? deletions.error)?.message;
  const tell = (change: Promise<void>) =>
    change.then(
      () => setProblem(''),
      (reason: unknown) => setProblem(errorOf(reason).message),
    );

  const list = useRef<HTMLElement>(null);
  const isRemoving = useRef(false);
  // What had the focus is gone: it goes to what takes that back.
  useEffect(() => {
    if (isRemoving.current) list.current?.querySelector<HTMLElement>('.mlango-undo button')?.focus();
    isRemoving.current = false;
  });

  function choose(chosen: string, messageId?: string): void {
    onChosen?.();
    onSelect(chosen, messageId);
  }

  function remove(removed: string): void {
    isRemoving.current = true;
    deletions.remove(removed);
    if (removed === sessionId) onSelect('');
  }

  return (
    <nav ref={list} className="mlango-sessions" aria-label={words.title}>
      <button type="button" className="mlango-button mlango-new" onClick={() => choose('')}>
        <Icon name="plus" />
        {words.begin}
      </button>
      {told === undefined ? null : (
        <p className="mlango-notice mlango-bad" role="alert">
          {told}
        </p>
      )}
      <SessionSearch search={sessions.searchSessions} onSelect={choose}>
        {all.length > 0 || error !== null ? null : (
          <p className="mlango-muted">{isLoading ? words.loading : words.none}</p>
        )}
        {byDate(all, ({ lastUpdatedAt }) => lastUpdatedAt, new Date()).map(({ group, items }) => (
          <section key={String(group)} aria-label={nameOf(group)}>
            <h3>{nameOf(group)}</h3>
            <ul>
              {items.map((session) => (
                <SessionItem
                  key={session.sessionId}
                  session={session}
                  isCurrent={session.sessionId === sessionId}
                  onSelect={() => choose(session.sessionId)}
                  onRename={(title) => void tell(renameSession(session.sessionId, title))}
                  onDelete={() => remove(session.sessionId)}
                  isArchived={isShowingArchived}
                  onArchive={() => void tell(archiveSession(session.sessionId, !isShowingArchived))}
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

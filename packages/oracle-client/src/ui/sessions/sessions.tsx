import { type ReactElement, useState } from 'react';
import { errorOf } from '../../requests/error-of.js';
import type { IOracleSessions } from '../../sessions/use-oracle-sessions.js';
import { Icon } from '../icon.js';
import { useWords } from '../words/words.js';
import { byDate, type DateGroup } from './date-groups.js';
import { SessionItem } from './session-item.js';
import { SessionSearch } from './session-search.js';

export interface SessionsProps {
  readonly sessions: IOracleSessions;
  /** The one that is shown; empty for none. */
  readonly sessionId: string;
  /** Empty for a new one. */
  readonly onSelect: (sessionId: string) => void;
}

/** The user's conversations, newest first under the days they are of: to be searched, gone on with, renamed, archived and deleted. */
export function Sessions({ sessions, sessionId, onSelect }: SessionsProps): ReactElement {
  const { language, sessions: words } = useWords();
  const [problem, setProblem] = useState('');
  const { sessions: all, isLoading, error, hasNextPage, fetchNextPage, renameSession, deleteSession } = sessions;
  const { archiveSession, isShowingArchived, showArchived } = sessions;
  const nameOf = (group: DateGroup) =>
    typeof group === 'string' ? words[group] : group.toLocaleDateString(language, { month: 'long', year: 'numeric' });
  const told = (change: Promise<void>) =>
    change.then(
      () => setProblem(''),
      (reason: unknown) => setProblem(errorOf(reason).message),
    );

  async function remove(removed: string): Promise<void> {
    await deleteSession(removed);
    if (removed === sessionId) onSelect('');
  }

  return (
    <nav className="mlango-sessions" aria-label={words.title}>
      <button type="button" className="mlango-button mlango-new" onClick={() => onSelect('')}>
        <Icon name="plus" />
        {words.begin}
      </button>
      {error === null && problem === '' ? null : (
        <p className="mlango-notice mlango-bad" role="alert">
          {problem === '' ? error?.message : problem}
        </p>
      )}
      <SessionSearch search={sessions.searchSessions} onSelect={onSelect}>
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
                  onSelect={() => onSelect(session.sessionId)}
                  onRename={(title) => void told(renameSession(session.sessionId, title))}
                  onDelete={() => void told(remove(session.sessionId))}
                  isArchived={isShowingArchived}
                  onArchive={() => void told(archiveSession(session.sessionId, !isShowingArchived))}
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
    </nav>
  );
}

import { useState } from 'react';
import { errorOf } from '../../api/requests/values.js';
import { type IChatSession, untitled } from '../../api/sessions.js';
import type { IOracleSessions } from '../../hooks/use-oracle-sessions.js';
import { useWords } from '../../words/words.js';
import { byDate, type DateGroup } from './date-groups.js';

export interface SessionListOptions {
  readonly sessions: IOracleSessions;
  /** The selected one; empty for none. */
  readonly sessionId: string;
  /** Empty for a new one. With the id of a found message after a search. */
  readonly onSelect: (sessionId: string, messageId?: string) => void;
}

/** One conversation of the list, with its actions. */
export interface ListedSession {
  readonly sessionId: string;
  /** The title; a placeholder if there is none. */
  readonly title: string;
  readonly isCurrent: boolean;
  readonly open: () => void;
  readonly rename: (title: string) => void;
  /** Archives the session, or restores it from the archive. */
  readonly archive: () => void;
  /** Deletes the session for good. */
  readonly remove: () => void;
}

export interface SessionListParts {
  /** Newest first, under the days that they are of. */
  readonly groups: readonly { readonly name: string; readonly sessions: readonly ListedSession[] }[];
  readonly begin: () => void;
  /** Restores the session that was just archived; undefined if there is none. */
  readonly undo: (() => void) | undefined;
  /** The last problem, as a text. */
  readonly problem: string | undefined;
}

/** State of a list of conversations, without markup. */
export function useSessionList({ sessions, sessionId, onSelect }: SessionListOptions): SessionListParts {
  const { language, sessions: words } = useWords();
  const [problem, setProblem] = useState('');
  const [archivedId, setArchivedId] = useState<string>();
  const { renameSession, archiveSession, deleteSession, isShowingArchived } = sessions;
  const nameOf = (group: DateGroup) =>
    typeof group === 'string' ? words[group] : group.toLocaleDateString(language, { month: 'long', year: 'numeric' });
  const report = (change: Promise<void>) =>
    void change.then(
      () => setProblem(''),
      (reason: unknown) => setProblem(errorOf(reason).message),
    );
  const listed = ({ sessionId: id, title }: IChatSession): ListedSession => {
    const shown = title === undefined || title === untitled ? words.untitled : title;
    return {
      sessionId: id,
      title: shown,
      isCurrent: id === sessionId,
      open: () => onSelect(id),
      rename: (wanted) => {
        const changed = wanted.trim();
        if (changed !== '' && changed !== shown) report(renameSession(id, changed));
      },
      archive: () => {
        const change = archiveSession(id, !isShowingArchived);
        report(change.then(() => setArchivedId(isShowingArchived ? undefined : id)));
      },
      remove: () => {
        report(deleteSession(id));
        if (id === sessionId) onSelect('');
      },
    };
  };
  return {
    groups: byDate(sessions.sessions, ({ lastUpdatedAt }) => lastUpdatedAt, new Date()).map(({ group, items }) => ({
      name: nameOf(group),
      sessions: items.map(listed),
    })),
    begin: () => onSelect(''),
    undo:
      archivedId === undefined || isShowingArchived
        ? undefined
        : () => report(archiveSession(archivedId, false).then(() => setArchivedId(undefined))),
    problem: problem || sessions.error?.message,
  };
}

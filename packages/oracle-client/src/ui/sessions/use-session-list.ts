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
  /** Hides it at once, and deletes it a while later: `sessions.deletions` restores it. */
  readonly remove: () => void;
}

export interface SessionListParts {
  /** Newest first, under the days that they are of. */
  readonly groups: readonly { readonly name: string; readonly sessions: readonly ListedSession[] }[];
  readonly begin: () => void;
  /** The last problem, as a text. */
  readonly problem: string | undefined;
}

/** State of a list of conversations, without markup. */
export function useSessionList({ sessions, sessionId, onSelect }: SessionListOptions): SessionListParts {
  const { language, sessions: words } = useWords();
  const [problem, setProblem] = useState('');
  const { renameSession, archiveSession, isShowingArchived, deletions } = sessions;
  const nameOf = (group: DateGroup) =>
    typeof group === 'string' ? words[group] : group.toLocaleDateString(language, { month: 'long', year: 'numeric' });
  const tell = (change: Promise<void>) =>
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
        if (changed !== '' && changed !== shown) tell(renameSession(id, changed));
      },
      archive: () => tell(archiveSession(id, !isShowingArchived)),
      remove: () => {
        deletions.remove(id);
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
    problem: problem || (sessions.error ?? deletions.error)?.message,
  };
}

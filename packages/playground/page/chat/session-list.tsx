import type { IOracleSessions } from '@mlango/oracle-client';
import { hrefOf } from '../shell/use-route.js';

interface SessionListProps {
  readonly sessions: IOracleSessions;
  readonly current: string | undefined;
  readonly did: string;
}

export function SessionList({ sessions, current, did }: SessionListProps) {
  const {
    sessions: all,
    total,
    hasNextPage,
    fetchNextPage,
    deleteSession,
    error,
    isLoading,
    isDeleteSessionError,
  } = sessions;

  async function remove(sessionId: string): Promise<void> {
    try {
      await deleteSession(sessionId);
      if (sessionId === current) window.location.hash = hrefOf('chat');
    } catch {
      // Said below: the hook knows that it failed.
    }
  }

  return (
    <section className="card stack session-list" aria-labelledby="sessions-heading">
      <div className="row spread">
        <h2 id="sessions-heading">Sessions</h2>
        <a
          className="button tight-button"
          href={hrefOf('chat')}
          aria-current={current === undefined ? 'page' : undefined}
        >
          New
        </a>
      </div>
      {error === null ? null : (
        <p className="notice bad small" role="alert">
          The oracle cannot be asked: {error.message}
        </p>
      )}
      {isDeleteSessionError ? (
        <p className="notice bad small" role="alert">
          The session could not be deleted.
        </p>
      ) : null}
      {all.length === 0 && error === null ? (
        <p className="quiet small">
          {isLoading ? 'Asking…' : 'None yet. Each talk with the oracle is one, and stays.'}
        </p>
      ) : null}
      <ul>
        {all.map(({ sessionId, title }) => (
          <li key={sessionId} className="session">
            <a href={hrefOf('chat', sessionId)} aria-current={sessionId === current ? 'page' : undefined}>
              {title ?? 'Untitled'}
            </a>
            <button
              type="button"
              className="plain tight"
              aria-label={`Delete ${title ?? 'Untitled'}`}
              onClick={() => void remove(sessionId)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <button type="button" className="tight" onClick={() => void fetchNextPage()}>
          More of {total}
        </button>
      ) : null}
      <p className="small quiet break">
        You are <span className="mono">{did}</span>
      </p>
    </section>
  );
}

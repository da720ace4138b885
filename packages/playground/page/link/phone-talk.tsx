import { useOracleSessions } from '@mlango/oracle-client';
import { oracleAddress } from '../chat/oracle-address.js';
import { OracleChat } from '../chat/oracle-chat.js';
import { hrefOf } from '../shell/route.js';
import { useSettings } from '../shell/settings.js';

interface PhoneTalkProps {
  readonly sessionId: string | undefined;
  readonly onForget: () => void;
}

/** What a phone and the oracle say to each other: to be read, and gone on with. */
export function PhoneTalk({ sessionId, onForget }: PhoneTalkProps) {
  const { oracleDid } = useSettings();
  const { sessions, error, isLoading } = useOracleSessions(oracleDid, oracleAddress);
  const shown = sessionId ?? sessions[0]?.sessionId;
  return (
    <>
      {error === null ? null : (
        <p className="notice bad" role="alert">
          The phone's conversation cannot be read: {error.message}. Try again, or link this browser once more.
        </p>
      )}
      <nav aria-label="Conversations of the phone" className="row">
        {sessions.map((session) => (
          <a
            key={session.sessionId}
            href={hrefOf('phone', 'link', session.sessionId)}
            aria-current={session.sessionId === shown ? 'page' : undefined}
          >
            {session.title ?? 'Untitled'}
          </a>
        ))}
      </nav>
      {!isLoading && error === null && sessions.length === 0 ? <p className="quiet">No conversations</p> : null}
      {shown === undefined || error !== null ? null : (
        <div className="card phone-talk">
          <OracleChat sessionId={shown} hasSessions={false} />
        </div>
      )}
      <p className="quiet small">
        To end the link, choose “Read on the web” on the phone. To end it in this browser only:{' '}
        <button type="button" className="tight" onClick={onForget}>
          Unlink this browser
        </button>
      </p>
    </>
  );
}

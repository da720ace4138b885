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
          This browser may not read the phone's conversation, or no more: {error.message}
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
      {!isLoading && error === null && sessions.length === 0 ? (
        <p className="quiet">The phone has asked nothing yet.</p>
      ) : null}
      {shown === undefined || error !== null ? null : (
        <div className="card phone-talk">
          <OracleChat sessionId={shown} hasSessions={false} />
        </div>
      )}
      <p className="quiet small">
        The phone ends this link for good, under “Read on the web”. This browser can forget it.{' '}
        <button type="button" className="tight" onClick={onForget}>
          Forget the phone
        </button>
      </p>
    </>
  );
}

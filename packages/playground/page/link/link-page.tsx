import type { ConverseGrant } from '@mlango/oracle-client/browser-identity';
import { useMemo, useState } from 'react';
import { AsUser } from '../chat/as-user.js';
import { useIdentity } from '../chat/use-identity.js';
import { Title } from '../shell/title.js';
import { LinkForm } from './link-form.js';
import { linkedPhone, removeLinkedPhone, storeLinkedPhone } from './linked-phone.js';
import '@mlango/oracle-client/ui.css';
import '../chat/chat.css';
import { useOracleSessions } from '@mlango/oracle-client';
import { oracleAddress } from '../chat/oracle-address.js';
import { OracleChat } from '../chat/oracle-chat.js';
import { hrefOf } from '../shell/route.js';
import { useSettings } from '../shell/settings.js';

interface PhoneTalkProps {
  readonly sessionId: string | undefined;
  readonly onForget: () => void;
}

/** The conversation of a phone with the oracle, to read and continue. */
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

/** The page that links this browser with a phone, and shows its conversation. */
export function LinkPage({ route: [, sessionId] }: { readonly route: readonly string[] }) {
  return (
    <div className="stack">
      <div>
        <Title>Conversations of a phone</Title>
        <p className="lead">
          Read and continue your conversation with the oracle by phone here. A code links this browser to the phone; the
          phone can end the link.
        </p>
      </div>
      {window.isSecureContext ? (
        <Linked sessionId={sessionId} />
      ) : (
        <p className="notice bad">
          This page is not secure, so your browser keeps no key for it. Open it over HTTPS, or at 127.0.0.1.
        </p>
      )}
    </div>
  );
}

function Linked({ sessionId }: { readonly sessionId: string | undefined }) {
  const user = useIdentity();
  const [phone, setPhone] = useState<ConverseGrant | undefined>(linkedPhone);
  const acting = useMemo(() => (phone === undefined ? undefined : user.actFor(phone)), [user, phone]);

  function link(linked: ConverseGrant): void {
    storeLinkedPhone(linked);
    setPhone(linked);
  }

  function forget(): void {
    removeLinkedPhone();
    setPhone(undefined);
  }

  if (acting === undefined) return <LinkForm user={user} onLinked={link} />;
  return (
    <AsUser user={acting} userName="A phone">
      <PhoneTalk sessionId={sessionId} onForget={forget} />
    </AsUser>
  );
}

import { hrefOf } from '../shell/route.js';
import { Title } from '../shell/title.js';
import { AsUser } from './as-user.js';
import { PanelFrame } from './developer/panel-frame.js';
import { OracleChat } from './oracle-chat.js';
import { useIdentity } from './use-identity.js';
import '@mlango/oracle-client/ui.css';
import './chat.css';

/** The chat page, with the developer panel next to it. */
export function ChatPage({ route }: { readonly route: readonly string[] }) {
  return (
    <div className="chat-page">
      <div className="unseen">
        <Title>Chat with an oracle</Title>
      </div>
      {window.isSecureContext ? (
        <WithIdentity sessionId={route[0] ?? ''} />
      ) : (
        <p className="notice bad">
          This page is not secure, so your browser keeps no key for it. Open it over HTTPS, or at 127.0.0.1.
        </p>
      )}
    </div>
  );
}

function WithIdentity({ sessionId }: { readonly sessionId: string }) {
  const user = useIdentity();
  return (
    <AsUser user={user}>
      <OracleChat sessionId={sessionId} onSessionChange={goTo} />
      <PanelFrame sessionId={sessionId} did={user.wallet.did} />
    </AsUser>
  );
}

function goTo(sessionId: string): void {
  window.location.hash = sessionId === '' ? hrefOf('chat') : hrefOf('chat', sessionId);
}

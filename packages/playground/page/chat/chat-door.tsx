import { OraclesProvider } from '@mlango/oracle-client';
import { hrefOf } from '../shell/route.js';
import { Title } from '../shell/title.js';
import { PanelFrame } from './developer/panel-frame.js';
import { OracleChat } from './oracle-chat.js';
import { useIdentity } from './use-identity.js';
import '@mlango/oracle-client/ui.css';
import './chat.css';

/** A chat as high as the window; what goes on behind it is in a panel beside it. */
export function ChatDoor({ route }: { readonly route: readonly string[] }) {
  return (
    <div className="chat-door">
      <div className="unseen">
        <Title>An oracle to talk to</Title>
      </div>
      {window.isSecureContext ? (
        <WithIdentity sessionId={route[0] ?? ''} />
      ) : (
        <p className="notice bad">Browsers keep keys for secure pages only: come by HTTPS, or to 127.0.0.1.</p>
      )}
    </div>
  );
}

function WithIdentity({ sessionId }: { readonly sessionId: string }) {
  const { wallet, createDelegation, createInvocation } = useIdentity();
  return (
    <OraclesProvider
      initialWallet={wallet}
      createDelegation={createDelegation}
      createInvocation={createInvocation}
      transactSignX={refuseToSign}
    >
      <OracleChat sessionId={sessionId} onSessionChange={goTo} />
      <PanelFrame sessionId={sessionId} did={wallet.did} />
    </OraclesProvider>
  );
}

function goTo(sessionId: string): void {
  window.location.hash = sessionId === '' ? hrefOf('chat') : hrefOf('chat', sessionId);
}

/** The key of this browser has no account on a chain. */
async function refuseToSign(): Promise<never> {
  throw new Error('This page has no account to pay with.');
}

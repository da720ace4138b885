import { OraclesProvider } from '@mlango/oracle-client';
import { Title } from '../shell/title.js';
import { ChatRoom } from './chat-room.js';
import { useIdentity } from './use-identity.js';
import './chat.css';

export function ChatDoor({ route }: { readonly route: readonly string[] }) {
  return (
    <div className="stack">
      <div>
        <Title>An oracle to talk to</Title>
        <p className="lead">
          Your key was made in this browser and signs a token for each few minutes. Cut the network in the middle of an
          answer: it comes back without a lost word.
        </p>
      </div>
      {window.isSecureContext ? (
        <WithIdentity sessionId={route[0]} />
      ) : (
        <p className="notice bad">Browsers keep keys for secure pages only: come by HTTPS, or to 127.0.0.1.</p>
      )}
    </div>
  );
}

function WithIdentity({ sessionId }: { readonly sessionId: string | undefined }) {
  const { wallet, createDelegation, createInvocation } = useIdentity();
  return (
    <OraclesProvider
      initialWallet={wallet}
      createDelegation={createDelegation}
      createInvocation={createInvocation}
      transactSignX={refuseToSign}
    >
      <ChatRoom did={wallet.did} sessionId={sessionId} />
    </OraclesProvider>
  );
}

/** The key of this browser has no account on a chain. */
async function refuseToSign(): Promise<never> {
  throw new Error('This page has no account to pay with.');
}

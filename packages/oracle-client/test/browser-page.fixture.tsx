import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type BrowserIdentity, openBrowserIdentity } from '../src/browser-identity.js';
import { OraclesProvider, useChat, useOracleSessions } from '../src/oracle-client.js';

// A typical page for a real browser. The address contains the oracle's URL.

const { searchParams } = new URL(location.href);
const oracleDid = searchParams.get('oracleDid') ?? '';
const overrides = { baseUrl: searchParams.get('baseUrl') ?? '' };

function Chat({ sessionId }: { readonly sessionId: string }) {
  const chat = useChat({ oracleDid, sessionId, overrides, onPaymentRequiredError: () => undefined });
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        chat.sendMessage(text);
      }}
    >
      <ol>
        {chat.messages.map(({ id, type, content }) => (
          <li key={id}>{`${type}: ${typeof content === 'string' ? content : JSON.stringify(content)}`}</li>
        ))}
      </ol>
      <output>
        {[chat.status, chat.run?.status, chat.isRealTimeConnected ? 'connected' : 'alone', chat.error?.message].join(
          ' ',
        )}
      </output>
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit">Send</button>
    </form>
  );
}

function Page() {
  const { sessions, isLoading, createSession } = useOracleSessions(oracleDid, overrides);
  const [first] = sessions;
  if (isLoading) return null;
  return first === undefined ? (
    <button type="button" onClick={() => void createSession()}>
      Begin
    </button>
  ) : (
    <Chat sessionId={first.sessionId} />
  );
}

function App() {
  const [user, setUser] = useState<BrowserIdentity>();
  useEffect(() => {
    void openBrowserIdentity().then(setUser);
  }, []);
  if (user === undefined) return null;
  const { wallet, createDelegation, createInvocation } = user;
  return (
    <OraclesProvider
      initialWallet={wallet}
      transactSignX={() => Promise.reject(new Error('no chain here'))}
      createDelegation={createDelegation}
      createInvocation={createInvocation}
    >
      <h1>{user.did}</h1>
      <Page />
    </OraclesProvider>
  );
}

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);

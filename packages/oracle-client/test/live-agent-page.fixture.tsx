import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type BrowserIdentity, openBrowserIdentity } from '../src/browser-identity.js';
import { useLiveAgent } from '../src/live-agent.js';
import { OraclesProvider, useOracleSessions } from '../src/oracle-client.js';
import styles from '../src/ui.css?inline';
import { Oracle } from '../src/ui.js';

// A page that calls an oracle, for a real browser.

const { searchParams } = new URL(location.href);
const oracleDid = searchParams.get('oracleDid') ?? '';
const overrides = { baseUrl: searchParams.get('baseUrl') ?? '' };
const createWorker = () => new Worker('/worker.js', { type: 'module' });

function Call({ sessionId }: { readonly sessionId: string }) {
  const agent = useLiveAgent({ oracleDid, sessionId, overrides, createWorker });
  const { status, isEncrypted, isMuted, participants, error } = agent;
  return (
    <>
      <output>{JSON.stringify({ status, isEncrypted, isMuted, error: error?.code, participants })}</output>
      <button type="button" onClick={() => void agent.startCall()}>
        Call
      </button>
      <button type="button" onClick={() => void agent.setMuted(!isMuted)}>
        Mute
      </button>
      <button type="button" onClick={() => void agent.hangUp()}>
        Hang up
      </button>
    </>
  );
}

function Page() {
  const { sessions, createSession } = useOracleSessions(oracleDid, overrides);
  const [first] = sessions;
  if (first !== undefined) return <Call sessionId={first.sessionId} />;
  return (
    <button type="button" onClick={() => void createSession()}>
      Begin
    </button>
  );
}

/** The rendering by `/ui`. */
function WithLook() {
  const calls = { load: () => import('../src/live-agent.js'), createWorker };
  return (
    <div style={{ height: '100vh' }}>
      <Oracle oracleDid={oracleDid} overrides={overrides} calls={calls} />
    </div>
  );
}

function App() {
  const [user, setUser] = useState<BrowserIdentity>();
  useEffect(() => {
    void openBrowserIdentity().then(setUser);
  }, []);
  if (user === undefined) return null;
  return (
    <OraclesProvider
      initialWallet={user.wallet}
      transactSignX={() => Promise.reject(new Error('no chain here'))}
      createDelegation={user.createDelegation}
      createInvocation={user.createInvocation}
    >
      {searchParams.has('look') ? <WithLook /> : <Page />}
    </OraclesProvider>
  );
}

const sheet = document.createElement('style');
sheet.textContent = searchParams.has('look') ? styles : '';
document.head.append(sheet);

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);

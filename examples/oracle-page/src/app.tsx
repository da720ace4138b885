import { OraclesProvider, useOracleSessions } from '@mlango/oracle-client';
import type { BrowserIdentity } from '@mlango/oracle-client/browser-identity';
import { Chat } from './chat.js';
import type { Oracle } from './oracle.js';

/** The whole page: who the user is, and their chat with the oracle. */
export function App({ user, oracle }: { readonly user: BrowserIdentity; readonly oracle: Oracle }) {
  if (oracle.oracleDid === '') return <p>Set VITE_ORACLE_DID to the DID that the oracle logs when it starts.</p>;
  return (
    <OraclesProvider
      initialWallet={user.wallet}
      createDelegation={user.createDelegation}
      createInvocation={user.createInvocation}
      transactSignX={() => Promise.reject(new Error('This page has no wallet'))}
    >
      <h1>Weather oracle</h1>
      <LatestSession {...oracle} />
    </OraclesProvider>
  );
}

function LatestSession({ oracleDid, baseUrl }: Oracle) {
  const { sessions, isLoading, error, createSession } = useOracleSessions(oracleDid, { baseUrl });
  const [latest] = sessions;
  if (error !== null) return <p role="alert">{error.message}</p>;
  if (isLoading) return <p>Loading…</p>;
  if (latest !== undefined) return <Chat oracleDid={oracleDid} baseUrl={baseUrl} sessionId={latest.sessionId} />;
  return (
    <button type="button" onClick={() => void createSession()}>
      Start a conversation
    </button>
  );
}

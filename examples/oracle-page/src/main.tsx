import '@mlango/oracle-client/ui.css';
import { OraclesProvider, uiComponent } from '@mlango/oracle-client';
import { openBrowserIdentity } from '@mlango/oracle-client/browser-identity';
import { Card, Oracle } from '@mlango/oracle-client/ui';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';

const { VITE_ORACLE_DID: oracleDid = '', VITE_ORACLE_URL: baseUrl = 'http://127.0.0.1:3005' } = import.meta.env;

// The tool that the oracle may call in this tab.
const readClock = {
  toolName: 'read_clock',
  description: "Tells the time on the user's own clock.",
  schema: z.object({}),
  fn: () => ({ time: new Date().toLocaleTimeString() }),
};

// The view of a call of the oracle's own tool `weather`.
const output = z.object({ degrees: z.number(), unit: z.string(), sky: z.string() });
const weather = uiComponent({ args: z.object({ city: z.string() }), output }, ({ args, output: now, ...call }) => (
  <Card title={args.city} badge={now?.sky} status={call.status} error={call.error}>
    {now && `${now.degrees} °${now.unit}`}
  </Card>
));

// The user is a key that this browser keeps; a page with wallets passes on theirs.
const { wallet, createDelegation, createInvocation } = await openBrowserIdentity();
const signing = { createDelegation, createInvocation, transactSignX: () => Promise.reject(new Error('No wallet')) };
const suggestions = [{ text: 'What is the weather in Nairobi?' }, { text: 'use the tool read_clock' }];
const parts = { suggestions, browserTools: { readClock }, uiComponents: { weather } };

createRoot(document.getElementById('root') as HTMLElement).render(
  <OraclesProvider initialWallet={wallet} {...signing}>
    <main style={{ position: 'fixed', inset: 0 }}>
      <Oracle oracleDid={oracleDid} overrides={{ baseUrl }} {...parts} />
    </main>
  </OraclesProvider>,
);

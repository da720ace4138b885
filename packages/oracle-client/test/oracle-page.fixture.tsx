/// <reference types="vite/client" />
import { createRoot } from 'react-dom/client';
import { openBrowserIdentity } from '../src/browser-identity.js';
import { OraclesProvider } from '../src/oracle-client.js';
import styles from '../src/ui.css?inline';
import { Oracle } from '../src/ui.js';

// A full chat for a real browser. The address contains the oracle's URL.

const { searchParams } = new URL(location.href);
const oracleDid = searchParams.get('oracleDid') ?? '';
const overrides = { baseUrl: searchParams.get('baseUrl') ?? '' };

const sheet = document.createElement('style');
sheet.textContent = styles;
document.head.append(sheet);

void openBrowserIdentity().then(({ wallet, createDelegation, createInvocation }) => {
  const signing = { createDelegation, createInvocation, transactSignX: () => Promise.reject(new Error('no chain')) };
  const root = document.getElementById('root');
  if (root === null) return;
  createRoot(root).render(
    <OraclesProvider initialWallet={wallet} {...signing}>
      <Oracle oracleDid={oracleDid} overrides={overrides} />
    </OraclesProvider>,
  );
});

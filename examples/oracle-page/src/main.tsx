import { openBrowserIdentity } from '@mlango/oracle-client/browser-identity';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
const { VITE_ORACLE_DID: oracleDid = '', VITE_ORACLE_URL: baseUrl = 'http://127.0.0.1:3005' } = import.meta.env;

// The user is a key that this browser keeps; a page with wallets passes on theirs.
const user = await openBrowserIdentity();
createRoot(root).render(
  <StrictMode>
    <App user={user} oracle={{ oracleDid, baseUrl }} />
  </StrictMode>,
);

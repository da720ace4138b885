import '@mlango/oracle-client/ui.css';
import './page.css';
import { openBrowserIdentity } from '@mlango/oracle-client/browser-identity';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
// The user is a key that this browser keeps; a page with wallets passes on theirs.
createRoot(root).render(<App user={await openBrowserIdentity()} />);

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/controls.css';
import '../src/workbench.css';
import './page.css';
import { Workbench } from '../src/workbench.js';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
createRoot(root).render(
  <StrictMode>
    <main className="simulator accent-phone">
      <h1>USSD simulator</h1>
      <p className="quiet">A handset on this gateway. What you type here is handled as if a network had sent it.</p>
      <Workbench gateway="" numbers={['+260971230567', '+254712345678', '+33612345678']} serviceCode="*384#" />
    </main>
  </StrictMode>,
);

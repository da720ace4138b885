import { OraclesProvider, useAgAction } from '@mlango/oracle-client';
import type { BrowserIdentity } from '@mlango/oracle-client/browser-identity';
import { Oracle } from '@mlango/oracle-client/ui';
import { useState } from 'react';
import { z } from 'zod';
import { browserTools } from './browser-tools.js';
import { WeatherCard } from './weather-card.js';

const { VITE_ORACLE_DID: oracleDid = '', VITE_ORACLE_URL: baseUrl = 'http://127.0.0.1:3005' } = import.meta.env;
const suggestions = [{ says: 'What is the weather in Nairobi?' }, { says: 'use the tool read_clock' }];
const uiComponents = { weather: WeatherCard };

/** The whole page: who the user is, and their chat with the oracle. */
export function App({ user }: { readonly user: BrowserIdentity }) {
  if (oracleDid === '') return <p>Set VITE_ORACLE_DID to the DID that the oracle logs when it starts.</p>;
  const { wallet, createDelegation, createInvocation } = user;
  const signing = { createDelegation, createInvocation, transactSignX: noWallet };
  return (
    <OraclesProvider initialWallet={wallet} {...signing}>
      <Chat />
    </OraclesProvider>
  );
}

function Chat() {
  // In the address, so that a reload shows the same conversation.
  const [sessionId, setSessionId] = useState(location.hash.slice(1));
  useAgAction({
    name: 'set_title',
    description: 'Sets the title of the page.',
    parameters: z.object({ title: z.string().min(1).max(60) }),
    handler: ({ title }) => {
      document.title = title;
      return { success: true };
    },
  });
  const select = (selected: string) => {
    location.hash = selected;
    setSessionId(selected);
  };
  const parts = { browserTools, uiComponents, suggestions };
  return (
    <Oracle oracleDid={oracleDid} overrides={{ baseUrl }} sessionId={sessionId} onSessionChange={select} {...parts} />
  );
}

const noWallet = () => Promise.reject(new Error('This page has no wallet'));

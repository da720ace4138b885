import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newUser } from '../test/user.fixture.js';
import { OraclesProvider, useAgAction, useChat, useOracleSessions, useOraclesContext } from './oracle-client.js';

// No page here: a server has no window and no document.

function Chat() {
  const overrides = { baseUrl: 'http://localhost:1' };
  const { messages, status, isLoading } = useChat({
    oracleDid: 'did:key:oracle',
    sessionId: 's1',
    onPaymentRequiredError: () => undefined,
    overrides,
  });
  const { sessions } = useOracleSessions('did:key:oracle', overrides);
  useAgAction({ name: 'pay', description: 'Pays', parameters: z.object({}), handler: () => undefined });
  return <p>{JSON.stringify({ messages, status, isLoading, sessions })}</p>;
}

describe('a server', () => {
  it('renders the initial chat without requests', () => {
    expect(typeof window).toBe('undefined');
    const requested: string[] = [];
    const sign = (kind: string) => () => {
      requested.push(kind);
      return Promise.reject(new Error('a server has no wallet'));
    };
    const markup = renderToString(
      <OraclesProvider {...newUser()} createDelegation={sign('delegation')} createInvocation={sign('invocation')}>
        <Chat />
      </OraclesProvider>,
    );
    const begun = { messages: [], status: 'ready', isLoading: true, sessions: [] };
    expect(markup.replaceAll('&quot;', '"')).toBe(`<p>${JSON.stringify(begun)}</p>`);
    expect(requested).toEqual([]);
  });

  it('throws for a hook outside of a provider', () => {
    const Lost = () => {
      useOraclesContext();
      return null;
    };
    expect(() => renderToString(<Lost />)).toThrow('useOraclesContext must be used within a OraclesProvider');
    expect(() => renderToString(<Chat />)).toThrow('useOraclesContext must be used within a OraclesProvider');
  });
});

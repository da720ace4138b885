import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, renderHook } from '@testing-library/react';
import type { PropsWithChildren } from 'react';
import { describe, expect, it } from 'vitest';
import { OraclesProvider, useChat, useOracleSessions } from '../src/oracle-client.js';
import { newSession, until } from './chat-page.fixture.js';
import { baseUrl, oracleDid } from './service.fixture.js';
import { newUser, pageOf, type User } from './user.fixture.js';

function openSessions(options = {}, user = newUser()) {
  const hook = renderHook(() => useOracleSessions(oracleDid, { baseUrl, ...options }), { wrapper: pageOf(user) });
  return { sessions: hook.result, user };
}

describe('the sessions of a user', () => {
  it('are created, listed newest first, and deleted', async () => {
    const { sessions } = openSessions();
    await until(() => expect(sessions.current.isLoading).toBe(false));
    expect(sessions.current).toMatchObject({ sessions: [], total: 0, error: null, isConfigReady: true });
    const first = await act(() => sessions.current.createSession());
    const second = await act(() => sessions.current.createSession());
    expect(first).toMatchObject({ title: 'Untitled', oracleDid, sessionId: expect.any(String) });
    const ids = () => sessions.current.sessions.map(({ sessionId }) => sessionId);
    await until(() => expect(ids()).toEqual([second.sessionId, first.sessionId]));
    expect(sessions.current.total).toBe(2);
    await act(() => sessions.current.deleteSession(first.sessionId));
    await until(() => expect(ids()).toEqual([second.sessionId]));
    expect(sessions.current.total).toBe(1);
  });

  it('are loaded in pages', async () => {
    const { sessions } = openSessions({ limit: 2 });
    await until(() => expect(sessions.current.isLoading).toBe(false));
    for (let made = 0; made < 5; made++) await act(() => sessions.current.createSession());
    await act(() => sessions.current.refetch());
    await until(() => expect(sessions.current).toMatchObject({ total: 5, hasNextPage: true }));
    while (sessions.current.hasNextPage) await act(() => sessions.current.fetchNextPage());
    const ids = sessions.current.sessions.map(({ sessionId }) => sessionId);
    expect([ids.length, new Set(ids).size]).toEqual([5, 5]);
  });

  it('are refused if they belong to another user', async () => {
    const { sessions } = openSessions();
    const theirs = await newSession(newUser());
    await expect(act(() => sessions.current.deleteSession(theirs))).rejects.toMatchObject({ statusCode: 404 });
    await until(() => expect(sessions.current.isDeleteSessionError).toBe(true));
  });

  it('take the title that the oracle gives a session after its first turn', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const page = renderHook(
      () => ({
        sessions: useOracleSessions(oracleDid, { baseUrl }),
        chat: useChat({ oracleDid, sessionId, onPaymentRequiredError: () => undefined, overrides: { baseUrl } }),
      }),
      { wrapper: pageOf(user) },
    ).result;
    await until(() => expect(page.current.sessions.sessions[0]?.title).toBe('Untitled'));
    act(() => page.current.chat.sendMessage('say Habari ya asubuhi'));
    await until(() => expect(page.current.sessions.sessions[0]?.title).not.toBe('Untitled'));
  });
});

describe('a change of the user', () => {
  it('shows no data of the previous user', async () => {
    const [asha, baraka] = [newUser(), newUser()];
    const sessionId = await newSession(asha);
    const seen: { did: string; sessions: number; messages: number }[] = [];
    function Shown({ did }: { readonly did: string }) {
      const { sessions } = useOracleSessions(oracleDid, { baseUrl });
      const { messages, sendMessage, isRealTimeConnected } = useChat({
        oracleDid,
        sessionId,
        onPaymentRequiredError: () => undefined,
        overrides: { baseUrl },
      });
      seen.push({ did, sessions: sessions.length, messages: messages.length });
      return (
        <button type="button" disabled={!isRealTimeConnected} onClick={() => sendMessage('say hello')}>
          {`${sessions.length} sessions, ${messages.length} messages`}
        </button>
      );
    }
    const pageFor = (user: Required<User> & { readonly did: string }) => {
      const { did, ...provided } = user;
      return (
        <OraclesProvider {...provided}>
          <Shown did={did} />
        </OraclesProvider>
      );
    };
    const page = render(pageFor(asha));
    const button = () => page.getByRole('button') as HTMLButtonElement;
    await until(() => expect(button().disabled).toBe(false));
    act(() => button().click());
    await until(() => expect(button().textContent).toBe('1 sessions, 2 messages'));
    page.rerender(pageFor(baraka));
    await until(() => expect(button().textContent).toBe('0 sessions, 0 messages'));
    expect(seen.filter(({ did, sessions, messages }) => did === baraka.did && sessions + messages > 0)).toEqual([]);
  });
});

describe('a page with its own queries', () => {
  it('keeps its query client: the provider does not replace it', async () => {
    const client = new QueryClient();
    const Page = pageOf(newUser());
    const wrapper = ({ children }: PropsWithChildren) => (
      <QueryClientProvider client={client}>
        <Page>{children}</Page>
      </QueryClientProvider>
    );
    const { result } = renderHook(
      () => ({
        own: useQuery({ queryKey: ['own'], queryFn: () => 'mine' }),
        sessions: useOracleSessions(oracleDid, { baseUrl }),
      }),
      { wrapper },
    );
    await until(() => expect(result.current).toMatchObject({ own: { data: 'mine' }, sessions: { isLoading: false } }));
    expect(
      client
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey),
    ).toEqual([['own']]);
  });
});

import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useChat, useMemoryEngine, useOracleSessions, useUserPreferences } from '../src/oracle-client.js';
import { until } from './chat-page.fixture.js';
import { baseUrl, oracleDid } from './service.fixture.js';
import { newUser, pageOf } from './user.fixture.js';

const open = (user = newUser(), options = {}) =>
  renderHook(() => useMemoryEngine(oracleDid, { baseUrl, ...options }), {
    wrapper: pageOf(user),
  }).result;

it('lists, adds and deletes the memories of this user only', async () => {
  const user = newUser();
  const engine = open(user);
  await until(() => expect(engine.current.isLoading).toBe(false));
  expect(engine.current).toMatchObject({ memories: [], total: 0, error: null });
  const goat = await act(() => engine.current.remember({ content: 'My goat is called Zuri' }));
  await act(() => engine.current.remember({ content: '12 bags', kind: 'artifact', title: 'Harvest' }));
  await until(() => expect(engine.current.memories.map(({ content }) => content)).toEqual(['12 bags', goat.content]));
  const found = open(user, { query: 'goats' });
  await until(() => expect(found.current.memories).toMatchObject([{ id: goat.id, kind: 'fact' }]));
  const other = open();
  await until(() => expect(other.current).toMatchObject({ isLoading: false, total: 0 }));
  await act(() => engine.current.forget(goat.id));
  await until(() => expect(engine.current.total).toBe(1));
  await act(() => expect(engine.current.forget(goat.id)).rejects.toMatchObject({ statusCode: 404 }));
});

it('shows why memories cannot be loaded', async () => {
  const away = open(newUser(), { baseUrl: 'http://127.0.0.1:9' });
  await until(() => expect(away.current.error?.message).toContain('could not be reached'));
  const unknown = open(newUser(), { baseUrl: undefined });
  expect(unknown.current.error?.message).toContain('gatewayUrl');
});

it('shows changes by a chat turn when the turn is over', async () => {
  const here = { baseUrl };
  const page = renderHook(
    ({ sessionId }) => ({
      engine: useMemoryEngine(oracleDid, here),
      wishes: useUserPreferences(oracleDid, here),
      sessions: useOracleSessions(oracleDid, here),
      chat: useChat({ oracleDid, sessionId, overrides: here, onPaymentRequiredError: () => undefined }),
    }),
    { wrapper: pageOf(newUser()), initialProps: { sessionId: '' } },
  );
  await until(() => expect(page.result.current.engine.isLoading).toBe(false));
  await until(() => expect(page.result.current.wishes.preferences).toEqual({}));
  const { sessionId } = await act(() => page.result.current.sessions.createSession());
  page.rerender({ sessionId });
  await until(() => expect(page.result.current.chat.isLoading).toBe(false));
  act(() => page.result.current.chat.sendMessage('remember that my goat is called Zuri'));
  await until(() => expect(page.result.current.engine.total).toBe(1));
  await until(() => expect(page.result.current.chat.status).toBe('ready'));
  act(() => page.result.current.chat.sendMessage('Call me Asha'));
  await until(() => expect(page.result.current.wishes.preferences).toMatchObject({ userName: 'Asha' }));
  await act(() => page.result.current.wishes.setPreferences({ tone: 'warm' }));
  await until(() => expect(page.result.current.wishes.preferences).toMatchObject({ tone: 'warm' }));
  expect(page.result.current.wishes.preferences?.userName).toBe(undefined);
});

it('reports an oracle without preferences, or an unavailable one', async () => {
  const { result } = renderHook(() => useUserPreferences(oracleDid, { baseUrl: 'http://127.0.0.1:9' }), {
    wrapper: pageOf(newUser()),
  });
  await until(() => expect(result.current.error?.message).toContain('could not be reached'));
  expect(result.current.preferences).toBe(undefined);
});

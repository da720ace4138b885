import { act, renderHook, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { type IChatOptions, useChat, useOracleSessions } from '../src/oracle-client.js';
import { baseUrl, oracleDid } from './service.fixture.js';
import { pageOf, type User } from './user.fixture.js';

interface PageOptions extends Partial<IChatOptions> {
  readonly isStrict?: boolean;
}

/** A new session of a user. */
export async function newSession(user: User, at = { oracleDid, baseUrl }): Promise<string> {
  const { result, unmount } = renderHook(() => useOracleSessions(at.oracleDid, { baseUrl: at.baseUrl }), {
    wrapper: pageOf(user),
  });
  const { sessionId } = await act(() => result.current.createSession());
  unmount();
  return sessionId;
}

/** A page that shows one chat. */
export function openChat(user: User, sessionId: string, { isStrict = false, ...options }: PageOptions = {}) {
  const onPaymentRequiredError = () => expect.unreachable('nothing costs anything');
  const hook = renderHook(
    () => useChat({ oracleDid, sessionId, onPaymentRequiredError, overrides: { baseUrl }, ...options }),
    { wrapper: pageOf(user, { isStrict }) },
  );
  return { chat: hook.result, unmount: hook.unmount, rerender: hook.rerender };
}

/** The same, once it is connected and has read its history. */
export async function openedChat(...args: Parameters<typeof openChat>) {
  const page = openChat(...args);
  await until(() => expect(page.chat.current).toMatchObject({ isLoading: false, isRealTimeConnected: true }));
  return page;
}

/** A page that can show another session. */
export function openSwitchingChat(user: User, sessionId: string) {
  const onPaymentRequiredError = () => expect.unreachable('nothing costs anything');
  const hook = renderHook(
    (shown: string) => useChat({ oracleDid, sessionId: shown, onPaymentRequiredError, overrides: { baseUrl } }),
    { wrapper: pageOf(user), initialProps: sessionId },
  );
  return { chat: hook.result, show: (shown: string) => hook.rerender(shown) };
}

/** Waits until something holds. */
export function until(holds: () => void | Promise<void>): Promise<void> {
  return waitFor(holds, { timeout: 10_000 });
}

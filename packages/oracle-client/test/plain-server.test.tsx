import { act } from '@testing-library/react';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSession, openedChat, until } from './chat-page.fixture.js';
import { plainServer } from './plain-server.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { baseUrl, openGate } from './service.fixture.js';
import { lineOf, newUser } from './user.fixture.js';

let server: Awaited<ReturnType<typeof plainServer>>;
beforeAll(async () => {
  server = await plainServer(baseUrl);
});
afterAll(() => server.close());

describe('a chat with a server without runs and message pages', () => {
  it('works without them and requests each once', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const { chat } = await openedChat(user, sessionId, { overrides: { baseUrl: server.baseUrl } });
    for (const words of ['One', 'Two']) {
      act(() => chat.current.sendMessage(scripted(words)));
      await until(() => expect(chat.current.status).toBe('ready'));
    }
    await act(() => chat.current.refetchMessages());
    expect(chat.current.messages.filter(({ type }) => type === 'ai').map(lineOf)).toEqual(['ai: One', 'ai: Two']);
    expect(chat.current).toMatchObject({ error: undefined, hasEarlier: false });
    const ofSession = server.requested.filter((path) => path.startsWith(`GET /sessions/${sessionId}`));
    const requested = ofSession.map((path) => path.split('/').at(-1)?.split('?')[0]);
    expect([requested.length, new Set(requested)]).toEqual([2, new Set(['run', 'messages'])]);
  });

  it('drops a cut answer and shows the stored one', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const { chat } = await openedChat(user, sessionId, { overrides: { baseUrl: server.baseUrl } });
    server.cutStreamsAfter(0);
    act(() => chat.current.sendMessage(scripted('Half ', { wait: sessionId }, 'and whole')));
    await until(() => expect(chat.current.status).toBe('ready'));
    expect(chat.current.error).toBeUndefined();
    await openGate(sessionId);
    await until(() => expect(chat.current.messages.map(lineOf)[1]).toBe('ai: Half and whole'));
    expect(chat.current.messages).toHaveLength(2);
  });
});

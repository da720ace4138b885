import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useOracleSessions, useOraclesContext } from '../src/oracle-client.js';
import { newSession, openedChat, until } from './chat-page.fixture.js';
import { network } from './network.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { baseUrl, oracleDid } from './service.fixture.js';
import { lineOf, newUser, pageOf, type User } from './user.fixture.js';

/** A user that counts signatures. */
function countedUser(lifetimeMs = 300_000) {
  const user = newUser();
  const signed = { invocations: 0, delegations: 0 };
  const counted: Required<User> = {
    ...user,
    createInvocation: async (audience) => {
      signed.invocations++;
      return { ...(await user.createInvocation(audience)), expiresAt: Date.now() + lifetimeMs };
    },
    createDelegation: (audience) => {
      signed.delegations++;
      return user.createDelegation(audience);
    },
  };
  return { user: counted, signed };
}

function contextOf(user: User) {
  return renderHook(() => useOraclesContext(), { wrapper: pageOf(user) }).result.current;
}

const headersOf = (user: User) =>
  contextOf(user).authedRequest<Record<string, string>>(`${baseUrl}/rehearsal/headers`, 'GET', undefined, oracleDid);

describe('requests of a user', () => {
  it('authenticate with all headers of the protocol', async () => {
    const user = newUser();
    const matrix = { accessToken: 'syt_1', homeServer: 'https://matrix.example' };
    const headers = await headersOf({ ...user, initialWallet: { ...user.initialWallet, matrix } });
    expect(headers).toMatchObject({
      authorization: expect.stringMatching(/^Bearer \S+$/),
      'x-auth-type': 'ucan',
      'x-ucan-delegation': expect.any(String),
      'x-did': user.did,
      'x-matrix-access-token': 'syt_1',
      'x-matrix-homeserver': 'https://matrix.example',
      'x-timezone': Intl.DateTimeFormat().resolvedOptions().timeZone,
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
      'content-type': 'application/json',
    });
  });

  it('use the delegation alone without invocations', async () => {
    const { createInvocation: _, ...user } = newUser();
    const headers = await headersOf(user);
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('x-auth-type');
    const sessionId = await newSession(user);
    const { chat } = await openedChat(user, sessionId);
    act(() => chat.current.sendMessage(scripted('Hello')));
    await until(() => expect(chat.current.messages.map(lineOf)[1]).toBe('ai: Hello'));
  });

  it('share one token of each kind, for each oracle, until it is about to expire', async () => {
    const { user, signed } = countedUser();
    const context = contextOf(user);
    const tokens = await Promise.all([1, 2, 3].map(() => context.getInvocation(oracleDid)));
    await context.getDelegation(oracleDid);
    await context.authedRequest(`${baseUrl}/sessions`, 'GET', undefined, oracleDid);
    expect(new Set(tokens).size).toBe(1);
    expect(signed).toEqual({ invocations: 1, delegations: 1 });
    await context.getInvocation('did:ixo:another');
    expect(signed).toEqual({ invocations: 2, delegations: 1 });
  });

  it('are repeated with another token, once, when the oracle refuses the first', async () => {
    const user = newUser();
    let requested = 0;
    const stale: User = {
      ...user,
      createInvocation: async (audience) => {
        requested++;
        const fresh = await user.createInvocation(audience);
        // The first token has another audience, as after a change of the oracle's DID.
        return requested === 1 ? user.createInvocation('did:ixo:another') : fresh;
      },
    };
    expect(await newSession(stale)).toEqual(expect.any(String));
    expect(requested).toBe(2);

    let refused = 0;
    const wrong: User = {
      ...user,
      createInvocation: () => {
        refused++;
        return user.createInvocation('did:ixo:another');
      },
    };
    const request = contextOf(wrong).authedRequest(`${baseUrl}/sessions`, 'GET', undefined, oracleDid);
    await expect(request).rejects.toMatchObject({ statusCode: 401, message: 'Invalid UCAN invocation' });
    expect(refused).toBe(2);
  });

  it('fail with the message of a wallet that does not sign', async () => {
    const user = { ...newUser(), createDelegation: () => Promise.reject(new Error('not today')) };
    const { result } = renderHook(() => useOracleSessions(oracleDid, { baseUrl }), { wrapper: pageOf(user) });
    await expect(act(() => result.current.createSession())).rejects.toThrow('not today');
  });
});

describe('the socket of a chat', () => {
  it('presents a fresh token on each reconnect', async () => {
    // A token that lives so shortly is good for one use.
    const { user, signed } = countedUser(1);
    const sessionId = await newSession(user);
    const between = await network(baseUrl);
    const { chat, unmount } = await openedChat(user, sessionId, { overrides: { baseUrl, wsUrl: between.baseUrl } });
    const before = signed.invocations;
    between.down();
    await until(() => expect(chat.current.isRealTimeConnected).toBe(false));
    between.up();
    await until(() => expect(chat.current.isRealTimeConnected).toBe(true));
    expect(signed.invocations).toBeGreaterThan(before);
    expect(between.connections()).toBe(1);
    unmount();
    await until(() => expect(between.connections()).toBe(0));
    await between.close();
  });

  it('connects after its first token was refused', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    let requested = 0;
    const stale: User = {
      ...user,
      createInvocation: (audience) => user.createInvocation(requested++ === 0 ? 'did:ixo:another' : audience),
    };
    await openedChat(stale, sessionId);
    expect(requested).toBe(2);
  });
});

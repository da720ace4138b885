import { act, renderHook, waitFor } from '@testing-library/react';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { getOpenIdToken, useGetOpenIdToken } from '../src/oracle-client.js';
import { chainPage } from './chain-page.fixture.js';
import { standInHomeserver } from './homeserver.fixture.js';

let home: Awaited<ReturnType<typeof standInHomeserver>>;
beforeAll(async () => {
  home = await standInHomeserver('syt_secret');
});
afterAll(() => home.close());
beforeEach(() => {
  home.requested.length = 0;
  home.lastFor(3_600);
});

let count = 0;
const request = (more = {}) => ({
  userId: `@did-ixo-${++count}:home.example`,
  matrixAccessToken: 'syt_secret',
  homeServer: home.url,
  ...more,
});

it('is requested once for concurrent callers until it expires', async () => {
  const user = request();
  const tokens = await Promise.all([getOpenIdToken(user), getOpenIdToken(user), getOpenIdToken(user)]);
  expect(home.requested).toEqual([`POST /_matrix/client/v3/user/${user.userId}/openid/request_token`]);
  expect(tokens).toEqual([tokens[0], tokens[0], tokens[0]]);
  expect(tokens[0]).toEqual({
    access_token: 'openid-1',
    expires_in: 3_600,
    matrix_server_name: 'home.example',
    token_type: 'Bearer',
  });
  expect(await getOpenIdToken(user)).toEqual(tokens[0]);
  expect(await getOpenIdToken({ ...user, forceNewToken: true })).toMatchObject({ access_token: 'openid-2' });
  expect(await getOpenIdToken(user)).toMatchObject({ access_token: 'openid-2' });
  expect(await getOpenIdToken(request())).toMatchObject({ access_token: 'openid-3' });
});

it('is renewed before it expires', async () => {
  home.lastFor(29);
  const user = request();
  await getOpenIdToken(user);
  await getOpenIdToken(user);
  expect(home.requested).toHaveLength(2);
});

it('fails with the reason and is requested again next time', async () => {
  const stranger = request({ matrixAccessToken: 'other' });
  await expect(getOpenIdToken(stranger)).rejects.toMatchObject({ statusCode: 401, message: 'Unknown' });
  await expect(getOpenIdToken({ ...stranger, matrixAccessToken: 'syt_secret' })).resolves.toBeDefined();
  await expect(getOpenIdToken(request({ userId: 'asha' }))).rejects.toThrow('Matrix user id');
  await expect(getOpenIdToken(request({ matrixAccessToken: '' }))).rejects.toThrow('access token');
  await expect(getOpenIdToken(request({ homeServer: 'http://127.0.0.1:9' }))).rejects.toThrow('could not be reached');
});

it("belongs to the wallet's own account", async () => {
  const address = `ixo1${++count}`;
  const wallet = { address, matrix: { accessToken: 'syt_secret', homeServer: home.url } };
  const hook = renderHook(() => useGetOpenIdToken(), { wrapper: chainPage({ wallet }) }).result;
  expect(hook.current).toMatchObject({ isLoading: true, openIdToken: undefined });
  await waitFor(() => expect(hook.current.openIdToken?.access_token).toBe('openid-1'));
  expect(home.requested[0]).toContain(`@did-ixo-${address}:127.0.0.1`);
  await act(() => hook.current.refetch());
  await waitFor(() => expect(hook.current.openIdToken?.access_token).toBe('openid-2'));
  const without = renderHook(() => useGetOpenIdToken(), { wrapper: chainPage({}) }).result;
  expect(without.current).toMatchObject({ isLoading: false, openIdToken: undefined, error: null });
});

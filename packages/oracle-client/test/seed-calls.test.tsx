import { act, renderHook, waitFor } from '@testing-library/react';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { useLiveAgent } from '../src/live-agent.js';
import { getOpenIdToken, type TransactSignX, useContractOracle, useMemoryEngine } from '../src/oracle-client.js';
import { chainPage, startChain } from './chain-page.fixture.js';
import { standInHomeserver } from './homeserver.fixture.js';
import { baseUrl, oracleDid } from './service.fixture.js';
import { newUser, pageOf } from './user.fixture.js';

// Calls without arguments, as at first render.

const outside = 'useOraclesContext must be used within a OraclesProvider';
let chain: Awaited<ReturnType<typeof startChain>>;
beforeAll(async () => {
  chain = await startChain();
}, 90_000);
afterAll(() => chain?.close());

it('each throws outside of a provider', async () => {
  for (const hook of [useContractOracle, useMemoryEngine, useLiveAgent] as const) {
    expect(() => renderHook<unknown, unknown>(() => hook())).toThrow(outside);
  }
  await expect(getOpenIdToken()).rejects.toThrow(outside);
});

it('getOpenIdToken() returns the provider user’s token while mounted', async () => {
  const home = await standInHomeserver('syt_secret');
  const wallet = { address: 'ixo1seed', matrix: { accessToken: 'syt_secret', homeServer: home.url } };
  const { unmount } = renderHook(() => undefined, { wrapper: chainPage({ wallet }) });
  expect(await getOpenIdToken()).toMatchObject({ access_token: 'openid-1' });
  expect(home.requested[0]).toContain('@did-ixo-ixo1seed:127.0.0.1');
  unmount();
  await expect(getOpenIdToken()).rejects.toThrow(outside);
  home.close();
});

it('useContractOracle() takes the oracle per call', async () => {
  const transactSignX = vi.fn<TransactSignX>(async () => ({ code: 0 }));
  const page = chainPage({ ...chain, wallet: { address: 'ixo1user' }, transactSignX });
  const { result } = renderHook(() => useContractOracle(), { wrapper: page });
  expect(result.current).toMatchObject({ pricingList: [], isLoadingPricingList: false, error: null });
  await act(() => expect(result.current.contractOracle()).rejects.toThrow('oracleDid'));
  await act(() => result.current.contractOracle({ oracleDid: 'did:ixo:entity:e0001' }));
  await act(() => result.current.payClaim({ claimId: 'c1', userClaimCollectionId: '7', adminAddress: 'ixo1admin' }));
  expect(transactSignX.mock.calls.map(([, memo]) => memo)).toEqual([
    expect.stringMatching(/^Contract /),
    'Approve claim c1',
  ]);
});

it('useMemoryEngine() takes the oracle per call', async () => {
  const { result } = renderHook(() => useMemoryEngine(), { wrapper: pageOf(newUser()) });
  expect(result.current).toMatchObject({ memories: [], isLoading: false, error: null });
  await act(() => expect(result.current.remember({ content: 'lost' })).rejects.toThrow('oracleDid'));
  const oracle = { oracleDid, baseUrl };
  const { id } = await act(() => result.current.remember({ content: 'My goat is called Zuri' }, oracle));
  expect(await result.current.recall({ ...oracle, query: 'goat' })).toMatchObject({ memories: [{ id }], total: 1 });
  await act(() => result.current.forget(id, oracle));
  expect(await result.current.recall(oracle)).toMatchObject({ total: 0 });
});

it('useLiveAgent() reports missing arguments, and requests the given oracle', async () => {
  // Requires media encryption; the real oracle has no calls.
  vi.stubGlobal('RTCRtpScriptTransform', class {});
  vi.stubGlobal('RTCRtpSender', class {});
  const { result } = renderHook(() => useLiveAgent(), { wrapper: pageOf(newUser()) });
  expect(result.current.status).toBe('idle');
  await act(() => result.current.startCall());
  expect(result.current).toMatchObject({ status: 'failed' });
  expect(result.current.error?.message).toContain('oracleDid');
  await act(() => result.current.startCall({ oracleDid, overrides: { baseUrl } }));
  expect(result.current.error?.message).toContain('sessionId');
  await act(() => result.current.startCall({ oracleDid, sessionId: 's1', overrides: { baseUrl } }));
  await waitFor(() => expect(result.current.error?.message).toContain('The oracle opened no call'));
  vi.unstubAllGlobals();
});

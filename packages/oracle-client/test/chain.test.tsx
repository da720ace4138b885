import { act, renderHook, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TransactSignX, useChat, useContractOracle, useOraclesConfig } from '../src/oracle-client.js';
import { chainPage, startChain } from './chain-page.fixture.js';

const oracleDid = 'did:ixo:entity:e0001';
const nowhere = 'did:ixo:entity:nope';
const timeout = 10_000;

let chain: Awaited<ReturnType<typeof startChain>>;
beforeAll(async () => {
  chain = await startChain();
}, 90_000);
afterAll(() => chain?.close());

const open = (did: string, overrides = {}, page = chainPage(chain)) =>
  renderHook(() => useOraclesConfig(did, overrides), { wrapper: page }).result;

describe('the oracle’s entity on the chain', () => {
  it('has URL, model and price', async () => {
    const config = open(oracleDid);
    expect(config.current).toMatchObject({ isReady: false, isLoading: true });
    await waitFor(() => expect(config.current.isLoading).toBe(false), { timeout });
    expect(config.current).toMatchObject({
      isReady: true,
      error: undefined,
      config: {
        apiUrl: 'http://127.0.0.1:3001',
        socketUrl: 'ws://127.0.0.1:3001',
        model: 'mlango-local',
        price: { amount: '100', denom: 'uixo', per: 'message' },
      },
    });
  });

  it('is read below another prefix, if the gateway has one', async () => {
    const config = open(oracleDid, {}, chainPage({ gatewayUrl: `${chain.gatewayUrl}/ixo/` }));
    await waitFor(() => expect(config.current.isReady).toBe(true), { timeout });
  });

  it('is overridden by the page', async () => {
    const config = open(nowhere, { baseUrl: 'http://127.0.0.1:1' });
    expect(config.current).toMatchObject({ isReady: true, config: { socketUrl: 'http://127.0.0.1:1' } });
    const without = open(oracleDid, { baseUrl: 'http://127.0.0.1:1', wsUrl: 'ws://127.0.0.1:2' }, chainPage({}));
    expect(without.current).toMatchObject({
      isReady: true,
      isLoading: false,
      config: { socketUrl: 'ws://127.0.0.1:2' },
    });
  });

  it('fails with a reason', async () => {
    const config = open(nowhere);
    await waitFor(() => expect(config.current.error).toMatchObject({ statusCode: 404 }), { timeout });
    expect(config.current).toMatchObject({ isReady: false, isLoading: false });
    expect(open(oracleDid, {}, chainPage({})).current.error?.message).toContain('gatewayUrl');
    const project = open('did:ixo:entity:e0003');
    await waitFor(() => expect(project.current.error?.message).toContain('names no API'), { timeout });
    const away = open(oracleDid, {}, chainPage({ gatewayUrl: 'http://127.0.0.1:9' }));
    await waitFor(() => expect(away.current.error?.message).toContain('could not be reached'), { timeout });
  });
});

describe("with only the wallet's four properties", () => {
  const { fetch } = globalThis;
  const requested: string[] = [];
  /** Public names resolve to the gateway and the documents of this test. */
  const publicNames = (document: object) =>
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
      requested.push(url);
      if (url.endsWith('/did.json')) return Promise.resolve(Response.json(document));
      return fetch(url.replace('https://testnet.ixo.earth/rest', chain.gatewayUrl), init);
    });
  beforeEach(() => requested.splice(0));
  afterEach(() => vi.unstubAllGlobals());
  const at = (homeServer: string) => chainPage({ wallet: { matrix: { accessToken: '', homeServer } } });

  it("an oracle is found through the public nodes of the wallet's network", async () => {
    publicNames({});
    const config = open(oracleDid, {}, at('https://testmx.ixo.earth'));
    await waitFor(() => expect(config.current.config.apiUrl).toBe('http://127.0.0.1:3001'), { timeout });
    expect(requested[0]).toBe(`https://testnet.ixo.earth/rest/ixo/entity/${encodeURIComponent(oracleDid)}`);
  });

  it('an oracle is found by the document of its own domain', async () => {
    publicNames({ service: [{ id: '#api', type: 'oracleService', serviceEndpoint: 'https://o.example/api' }] });
    const config = open('did:web:o.example%3A8443:goats', {}, at(''));
    await waitFor(() => expect(config.current.config.apiUrl).toBe('https://o.example/api'), { timeout });
    expect(requested).toEqual(['https://o.example:8443/goats/did.json']);
  });

  it('reports the missing properties and requests nothing for an unknown network', () => {
    publicNames({});
    const options = { oracleDid, sessionId: 's', onPaymentRequiredError: () => undefined };
    const { result } = renderHook(() => useChat(options), { wrapper: at('https://matrix.example') });
    act(() => result.current.sendMessage('hello'));
    expect(result.current.sendMessageError?.message).toMatch(/^The chat is not ready: .*gatewayUrl.*baseUrl/);
    expect(result.current).toMatchObject({ status: 'error', isConfigReady: false });
    expect(requested).toEqual([]);
  });
});

describe('contracting an oracle', () => {
  const wallet = { address: 'ixo1user', did: 'did:ixo:ixo1user' };
  const contract = (params = {}) => {
    const transactSignX = vi.fn<TransactSignX>(async () => ({ code: 0 }));
    const page = chainPage({ ...chain, wallet, transactSignX });
    const hook = renderHook(() => useContractOracle({ params: { oracleDid, ...params } }), { wrapper: page });
    return { transactSignX, hook: hook.result };
  };

  it('requests one signature: a grant for the price at the oracle’s account, and the fee if wanted', async () => {
    const { transactSignX, hook } = contract();
    expect(await act(() => hook.current.contractOracle({ payFee: true }))).toEqual({ code: 0 });
    expect(transactSignX).toHaveBeenCalledTimes(1);
    const [messages, memo] = transactSignX.mock.calls[0] ?? [];
    expect(memo).toMatch(/^Contract /);
    await waitFor(() => expect(hook.current.authzConfig?.granteeAddress).toMatch(/^ixo1/), { timeout });
    const grantee = hook.current.authzConfig?.granteeAddress;
    expect(messages).toMatchObject([
      { typeUrl: '/cosmos.authz.v1beta1.MsgGrant', value: { granter: 'ixo1user', grantee } },
      {
        typeUrl: '/cosmos.bank.v1beta1.MsgSend',
        value: { fromAddress: 'ixo1user', toAddress: grantee, amount: [{ amount: '100', denom: 'uixo' }] },
      },
    ]);
    await waitFor(() => expect(hook.current.pricingList).toMatchObject([{ amount: '100', denom: 'uixo' }]));
    expect(hook.current).toMatchObject({ isContractingOracle: false, error: null });
  });

  it('pays a claim by approving it', async () => {
    const { transactSignX, hook } = contract({ userClaimCollectionId: '7', adminAddress: 'ixo1admin', claimId: 'c1' });
    await act(() => hook.current.payClaim());
    await act(() => hook.current.payClaim('c2'));
    expect(transactSignX.mock.calls.map(([, memo]) => memo)).toEqual(['Approve claim c1', 'Approve claim c2']);
    const unnamed = contract();
    await act(() => expect(unnamed.hook.current.payClaim('c1')).rejects.toThrow('userClaimCollectionId'));
    expect(unnamed.transactSignX).not.toHaveBeenCalled();
  });

  it('reports why the wallet did not sign', async () => {
    const { transactSignX, hook } = contract();
    transactSignX.mockRejectedValueOnce(new Error('not today'));
    await act(() => expect(hook.current.contractOracle()).rejects.toThrow('not today'));
    await waitFor(() => expect(hook.current.error?.message).toBe('not today'));
  });
});

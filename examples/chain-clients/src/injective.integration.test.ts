import { describe, expect, it } from 'vitest';
import { CHAIN_ID, gatewayOfWallets, MNEMONIC, WALLET } from './gateway-of-wallets.fixture.js';
import { type Calls, heavyClient } from './heavy-client.fixture.js';

type Api = new (url: string) => Calls;
type ApiName =
  | `ChainRest${'Auth' | 'Bank' | 'Tendermint'}Api`
  | `ChainGrpc${'Bank' | 'Distribution' | 'Gov' | 'Mint' | 'Staking' | 'Tendermint'}Api`
  | `Tx${'Grpc' | 'Rest'}Api`;

interface Injective extends Record<ApiName, Api> {
  readonly PrivateKey: {
    fromMnemonic(words: string): { toPublicKey(): { toBase64(): string }; sign(bytes: Buffer): Promise<Uint8Array> };
  };
  readonly MsgSend: { fromJSON(of: Record<string, unknown>): unknown };
  createTransaction(of: Record<string, unknown>): { txRaw: { signatures: Uint8Array[] }; signBytes: Uint8Array };
}

const sdk = heavyClient<Injective>('@injectivelabs/sdk-ts');

// Accounts by gRPC are excluded: the library reads every account as its own chain's type.
describe.skipIf(sdk === undefined)('@injectivelabs/sdk-ts', () => {
  const { url } = gatewayOfWallets();
  const injective = sdk as Injective;
  const api = (name: ApiName): Calls => new injective[name](url());

  it('reads balances and accounts by REST', async () => {
    expect(await api('ChainRestBankApi')['fetchBalance']?.(WALLET, 'uixo')).toMatchObject({ amount: '1000000000' });
    expect(await api('ChainRestAuthApi')['fetchCosmosAccount']?.(WALLET)).toMatchObject({ address: WALLET });
  });

  it('reads the chain id and blocks by REST', async () => {
    const tendermint = api('ChainRestTendermintApi');
    expect(await tendermint['fetchNodeInfo']?.()).toMatchObject({ nodeInfo: { network: CHAIN_ID } });
    expect(await tendermint['fetchBlock']?.(2)).toMatchObject({ header: { height: '2' } });
    expect(await tendermint['fetchLatestBlock']?.()).toMatchObject({ header: { chain_id: CHAIN_ID } });
  });

  it('reads balances and delegations by gRPC-Web', async () => {
    const bank = api('ChainGrpcBankApi');
    expect(await bank['fetchBalance']?.({ accountAddress: WALLET, denom: 'uixo' })).toMatchObject({ denom: 'uixo' });
    expect(await bank['fetchTotalSupply']?.()).toMatchObject({ supply: { length: 2 } });
    const staking = api('ChainGrpcStakingApi');
    expect(await staking['fetchValidators']?.()).toMatchObject({ validators: { length: 5 } });
    expect(await staking['fetchDelegations']?.({ injectiveAddress: WALLET })).toMatchObject({
      delegations: { length: 2 },
    });
    expect(await api('ChainGrpcDistributionApi')['fetchDelegatorRewards']?.(WALLET)).toMatchObject({ length: 2 });
    expect(String(await api('ChainGrpcMintApi')['fetchInflation']?.().then(JSON.stringify))).toBe(
      '{"inflation":"0.13"}',
    );
  });

  it('reads proposals, votes and the newest block by gRPC-Web', async () => {
    const gov = api('ChainGrpcGovApi');
    expect(await gov['fetchProposal']?.(2)).toMatchObject({ proposalId: 2 });
    expect(await gov['fetchProposalTally']?.(2)).toMatchObject({ yesCount: '120000000' });
    expect(await gov['fetchModuleParams']?.()).toMatchObject({ votingParams: { votingPeriod: 604_800 } });
    expect(await api('ChainGrpcTendermintApi')['fetchLatestBlock']?.()).toMatchObject({
      header: { chainId: CHAIN_ID },
    });
  });

  async function signedTx(memo: string) {
    const key = injective.PrivateKey.fromMnemonic(MNEMONIC);
    const amount = { denom: 'uixo', amount: '1' };
    const { txRaw, signBytes } = injective.createTransaction({
      message: injective.MsgSend.fromJSON({ srcInjectiveAddress: WALLET, dstInjectiveAddress: WALLET, amount }),
      memo,
      fee: { amount: [amount], gas: '200000' },
      pubKey: key.toPublicKey().toBase64(),
      sequence: 0,
      accountNumber: 1,
      chainId: CHAIN_ID,
    });
    txRaw.signatures = [await key.sign(Buffer.from(signBytes))];
    return txRaw;
  }

  it.each(['TxGrpcApi', 'TxRestApi'] as const)('simulates, broadcasts and finds a transaction by %s', async (door) => {
    const txRaw = await signedTx(door);
    const tx = api(door);
    expect(await tx['simulate']?.(txRaw)).toMatchObject({ gasInfo: { gasUsed: 81_234 } });
    const sent = (await tx['broadcast']?.(txRaw, { timeout: 10_000 })) as { txHash: string };
    expect(sent).toMatchObject({ code: 0, txHash: expect.stringMatching(/^[0-9A-F]{64}$/) });
    expect(await tx['fetchTx']?.(sent.txHash)).toMatchObject({ txHash: sent.txHash, code: 0 });
  });

  it('reads a transaction with an event that is not UTF-8', async () => {
    const tx = api('TxRestApi');
    const sent = (await tx['broadcast']?.(await signedTx('not-utf8'), { timeout: 10_000 })) as { txHash: string };
    expect(await tx['fetchTx']?.(sent.txHash)).toMatchObject({ txHash: sent.txHash, code: 0 });
  });
});

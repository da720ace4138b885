import { MsgSend, SecretNetworkClient, Wallet } from 'secretjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHAIN_ID, gatewayOfWallets, MNEMONIC, WALLET } from './gateway-of-wallets.fixture.js';

const { url } = gatewayOfWallets();

describe('secretjs', () => {
  let client: SecretNetworkClient;
  let query: SecretNetworkClient['query'];
  beforeAll(() => {
    const wallet = new Wallet(MNEMONIC, { coinType: 118, bech32Prefix: 'ixo' });
    client = new SecretNetworkClient({ url: url(), chainId: CHAIN_ID, wallet, walletAddress: wallet.address });
    ({ query } = client);
  });

  it('reads balances and accounts', async () => {
    const { balance } = await query.bank.balance({ address: WALLET, denom: 'uixo' });
    expect(balance).toEqual({ denom: 'uixo', amount: '1000000000' });
    const { account } = await query.auth.account({ address: WALLET });
    expect(account).toMatchObject({ '@type': '/cosmos.auth.v1beta1.BaseAccount', address: WALLET });
  });

  it('reads delegations and rewards', async () => {
    const { validators } = await query.staking.validators({ status: 'BOND_STATUS_BONDED' });
    expect(validators).toHaveLength(4);
    const { delegation_responses: delegations } = await query.staking.delegatorDelegations({ delegator_addr: WALLET });
    expect(delegations).toHaveLength(2);
    const { total } = await query.distribution.delegationTotalRewards({ delegator_address: WALLET });
    expect(total).toMatchObject([{ denom: 'uixo', amount: expect.stringMatching(/^\d+\.\d{18}$/) }]);
  });

  it('reads proposals and votes', async () => {
    const { tally } = await query.gov.tallyResult({ proposal_id: '2' });
    expect(tally).toMatchObject({ yes_count: '120000000' });
  });

  it('reads the chain id and blocks', async () => {
    expect((await query.tendermint.getNodeInfo({})).default_node_info?.network).toBe(CHAIN_ID);
    expect((await query.tendermint.getSyncing({})).syncing).toBe(false);
    expect((await query.tendermint.getBlockByHeight({ height: '2' })).block?.header?.height).toBe('2');
  });

  it('reads a transaction with an event that is not UTF-8, by its hash and by a query', async () => {
    const send = new MsgSend({ from_address: WALLET, to_address: WALLET, amount: [{ denom: 'uixo', amount: '2' }] });
    const options = { gasLimit: 100_000, feeDenom: 'uixo', broadcastCheckIntervalMs: 100, memo: 'not-utf8' };
    const { transactionHash, height } = await client.tx.broadcast([send], options);
    expect(JSON.stringify(await query.getTx(transactionHash))).toContain('\ufffd');
    const found = await query.txsQuery(`tx.height=${height}`);
    expect(found.map((tx) => tx.transactionHash)).toContain(transactionHash);
  });

  it('simulates, signs, broadcasts, and finds the transaction by its hash', async () => {
    const amount = [{ denom: 'uixo', amount: '1' }];
    const send = new MsgSend({ from_address: WALLET, to_address: WALLET, amount });
    const { gas_info: gas } = await client.tx.simulate([send], { gasLimit: 100_000 });
    expect(gas?.gas_used).toBe('81234');
    const sent = await client.tx.broadcast([send], {
      gasLimit: 100_000,
      feeDenom: 'uixo',
      broadcastCheckIntervalMs: 100,
    });
    expect(sent).toMatchObject({ code: 0, transactionHash: expect.stringMatching(/^[0-9A-F]{64}$/) });
    const found = await query.getTx(sent.transactionHash);
    expect(found?.tx).toMatchObject({ body: { messages: [{ '@type': '/cosmos.bank.v1beta1.MsgSend', amount }] } });
  });
});

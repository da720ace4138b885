import { cosmos, cosmwasm, ibc } from 'osmojs';
import { describe, expect, it } from 'vitest';
import { gatewayOfWallets, WALLET } from './gateway-of-wallets.fixture.js';

const { url } = gatewayOfWallets();

describe('osmojs', () => {
  it('reads balances, accounts, delegations and proposals', async () => {
    const chain = (await cosmos.ClientFactory.createLCDClient({ restEndpoint: url() })).cosmos;
    const { balance } = await chain.bank.v1beta1.balance({ address: WALLET, denom: 'uixo' });
    expect(balance).toEqual({ denom: 'uixo', amount: '1000000000' });
    expect(await chain.auth.v1beta1.account({ address: WALLET })).toMatchObject({ account: { address: WALLET } });
    expect((await chain.staking.v1beta1.validators({ status: 'BOND_STATUS_BONDED' })).validators).toHaveLength(4);
    expect(await chain.gov.v1beta1.proposal({ proposalId: 1n })).toMatchObject({ proposal: { proposal_id: '1' } });
  });

  it('finds transactions by their events, with lists as axios writes them, and by hash', async () => {
    const { tx } = (await cosmos.ClientFactory.createLCDClient({ restEndpoint: url() })).cosmos;
    const found: unknown = await tx.v1beta1.getTxsEvent({
      events: ['tx.height=2'],
      orderBy: 0,
      page: 1n,
      limit: 10n,
    });
    const [{ txhash: hash }] = (found as { tx_responses: [{ txhash: string }] }).tx_responses;
    expect(await tx.v1beta1.getTx({ hash })).toMatchObject({ tx_response: { txhash: hash, height: '2' } });
  });

  it('reads channels and queries contracts', async () => {
    const channels = (await ibc.ClientFactory.createLCDClient({ restEndpoint: url() })).ibc.core.channel.v1;
    expect(await channels.channels({})).toMatchObject({ channels: [{ channel_id: 'channel-0', state: 'STATE_OPEN' }] });
    const { wasm } = (await cosmwasm.ClientFactory.createLCDClient({ restEndpoint: url() })).cosmwasm;
    const { contracts } = await wasm.v1.contractsByCode({ codeId: 1n });
    const query: unknown = Buffer.from('{"token_info":{}}').toString('base64');
    const asked = { address: contracts[0] ?? '', queryData: query as Uint8Array };
    expect(await wasm.v1.smartContractState(asked)).toMatchObject({ data: { symbol: 'CRD' } });
  });
});

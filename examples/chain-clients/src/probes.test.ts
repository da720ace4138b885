import { LCDClient } from '@osmonauts/lcd';
import { describe, expect, it } from 'vitest';
import { CHAIN_ID, gatewayOfWallets, WALLET } from './gateway-of-wallets.fixture.js';

const { url } = gatewayOfWallets();

/** Requests of chain and wallet registries to check an endpoint. */
const PROBES: readonly (readonly [path: string, expected: object])[] = [
  ['/cosmos/base/tendermint/v1beta1/node_info', { default_node_info: { network: CHAIN_ID } }],
  ['/cosmos/base/tendermint/v1beta1/syncing', { syncing: false }],
  ['/cosmos/base/tendermint/v1beta1/blocks/latest', { block: { header: { chain_id: CHAIN_ID } } }],
  ['/cosmos/base/tendermint/v1beta1/validatorsets/latest', { validators: { length: 4 } }],
  ['/cosmos/base/node/v1beta1/config', { minimum_gas_price: '0.025uixo' }],
  ['/cosmos/auth/v1beta1/params', { params: { max_memo_characters: '256' } }],
  [`/cosmos/auth/v1beta1/accounts/${WALLET}`, { account: { address: WALLET } }],
  [`/cosmos/bank/v1beta1/balances/${WALLET}?pagination.limit=1000`, { balances: { length: 2 } }],
  [`/cosmos/bank/v1beta1/spendable_balances/${WALLET}`, { balances: { length: 2 } }],
  ['/cosmos/bank/v1beta1/supply/by_denom?denom=uixo', { amount: { denom: 'uixo' } }],
  ['/cosmos/bank/v1beta1/denoms_metadata', { metadatas: [{ base: 'uixo', display: 'ixo' }] }],
  ['/cosmos/staking/v1beta1/params', { params: { bond_denom: 'uixo', unbonding_time: '1814400s' } }],
  ['/cosmos/staking/v1beta1/pool', { pool: { bonded_tokens: expect.stringMatching(/^\d+$/) } }],
  [`/cosmos/distribution/v1beta1/delegators/${WALLET}/rewards`, { total: [{ denom: 'uixo' }] }],
  ['/cosmos/gov/v1/proposals?proposal_status=2', { proposals: [{ id: '2', title: 'Proposal 2' }] }],
  ['/cosmos/mint/v1beta1/inflation', { inflation: '0.130000000000000000' }],
  ['/cosmos/slashing/v1beta1/params', { params: { slash_fraction_downtime: '0.000100000000000000' } }],
  [`/cosmos/feegrant/v1beta1/issued/${WALLET}`, { allowances: { length: 1 } }],
  [`/cosmos/authz/v1beta1/grants/granter/${WALLET}`, { grants: { length: 1 } }],
  ['/cosmos/upgrade/v1beta1/current_plan', { plan: null }],
  ['/ibc/apps/transfer/v1/denom_traces', { denom_traces: [{ base_denom: 'uatom' }] }],
];

describe('health probes of wallets and registries', () => {
  it.each(PROBES)('%s', async (path, expected) => {
    const reply = await fetch(`${url()}${path}`);
    expect({ status: reply.status, body: await reply.json() }).toMatchObject({ status: 200, body: expected });
  });
});

describe('@osmonauts/lcd', () => {
  it('is reached by the registry client', async () => {
    const client = new LCDClient({ restEndpoint: url() });
    expect(await client.get('cosmos/base/tendermint/v1beta1/syncing')).toEqual({ syncing: false });
    const params = { denom: 'uixo' };
    expect(await client.get(`cosmos/bank/v1beta1/balances/${WALLET}/by_denom`, { params })).toMatchObject({
      balance: { amount: '1000000000' },
    });
  });
});

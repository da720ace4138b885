import type { JsonObject } from '@bufbuild/protobuf';
import { ATOM_DENOM, ATOM_PATH, moduleAddress } from '../data/ledger/accounts.js';
import { digest } from '../data/seeded.js';
import { jsonPage } from '../serving/json-page.js';
import { type JsonServices, textOf } from '../serving/json-service.js';
import { table } from '../table.js';
import { channelService, heightOf, ofChannel, proven, requireKnown } from './ibc-channels.js';

const CONNECTION: JsonObject = {
  client_id: '07-tendermint-0',
  versions: [{ identifier: '1', features: ['ORDER_ORDERED', 'ORDER_UNORDERED'] }],
  state: 'STATE_OPEN',
  counterparty: { client_id: '07-tendermint-9', connection_id: 'connection-7', prefix: { key_prefix: 'aWJj' } },
  delay_period: '0',
};
const TRACE = { path: ATOM_PATH, base_denom: 'uatom' };

/** One channel to one other chain, whose token came over it. */
export function ibcServices(): JsonServices {
  const latestOfOther = { revision_number: '4', revision_height: '18000000' };
  const state: JsonObject = {
    '@type': '/ibc.lightclients.tendermint.v1.ClientState',
    chain_id: 'cosmoshub-4',
    trust_level: { numerator: '1', denominator: '3' },
    trusting_period: '1209600s',
    unbonding_period: '1814400s',
    max_clock_drift: '20s',
    frozen_height: {},
    latest_height: latestOfOther,
    upgrade_path: ['upgrade', 'upgradedIBCState'],
  };
  const identified = { client_id: '07-tendermint-0', client_state: state };
  const consensus: JsonObject = {
    '@type': '/ibc.lightclients.tendermint.v1.ConsensusState',
    timestamp: '2024-01-01T00:00:00Z',
    root: { hash: digest('root').toString('base64') },
    next_validators_hash: digest('validators').toString('base64'),
  };
  const ofClient = { client_id: '07-tendermint-0' };
  return {
    'ibc.applications.transfer.v1.Query': {
      DenomTraces: {
        example: {},
        answer: (request) =>
          jsonPage(
            'denom_traces',
            table([TRACE], () => ATOM_DENOM),
            request,
          ),
      },
      DenomTrace: {
        example: { hash: ATOM_DENOM.slice('ibc/'.length) },
        answer: (request) => {
          const hash = textOf(request, 'hash').replace('ibc/', '');
          requireKnown(`ibc/${hash}` === ATOM_DENOM, 'denomination trace not found');
          return { denom_trace: TRACE };
        },
      },
      DenomHash: {
        example: { trace: `${ATOM_PATH}/uatom` },
        answer: () => ({ hash: ATOM_DENOM.slice('ibc/'.length) }),
      },
      Params: { example: {}, answer: () => ({ params: { send_enabled: true, receive_enabled: true } }) },
      EscrowAddress: { example: ofChannel, answer: () => ({ escrow_address: moduleAddress('transfer') }) },
      TotalEscrowForDenom: {
        example: { denom: 'uixo' },
        answer: ({ denom = '' }) => ({ amount: { denom, amount: '77000' } }),
      },
    },
    ...channelService(identified),
    'ibc.core.client.v1.Query': {
      ClientState: {
        example: ofClient,
        answer: (request, block) => {
          requireKnown(request['client_id'] === '07-tendermint-0', 'light client not found');
          return { client_state: state, ...proven(block) };
        },
      },
      ClientStates: {
        example: {},
        answer: (request) =>
          jsonPage(
            'client_states',
            table([identified], () => '07-tendermint-0'),
            request,
          ),
      },
      ClientStatus: { example: ofClient, answer: () => ({ status: 'Active' }) },
      ConsensusState: {
        example: ofClient,
        answer: (_, block) => ({ consensus_state: consensus, ...proven(block) }),
      },
      ConsensusStates: {
        example: ofClient,
        answer: (request) =>
          jsonPage(
            'consensus_states',
            table([{ height: latestOfOther, consensus_state: consensus }], () => 'latest'),
            request,
          ),
      },
      ConsensusStateHeights: {
        example: ofClient,
        answer: (request) =>
          jsonPage(
            'consensus_state_heights',
            table([latestOfOther], () => 'latest'),
            request,
          ),
      },
      ClientParams: { example: {}, answer: () => ({ params: { allowed_clients: ['07-tendermint'] } }) },
    },
    'ibc.core.connection.v1.Query': {
      Connection: {
        example: { connection_id: 'connection-0' },
        answer: (_, block) => ({ connection: CONNECTION, ...proven(block) }),
      },
      ClientConnections: {
        example: ofClient,
        answer: (_, block) => ({ connection_paths: ['connection-0'], ...proven(block) }),
      },
      ConnectionClientState: {
        example: { connection_id: 'connection-0' },
        answer: (_, block) => ({ identified_client_state: identified, ...proven(block) }),
      },
      ConnectionParams: { example: {}, answer: () => ({ params: { max_expected_time_per_block: '30000000000' } }) },
      Connections: {
        example: {},
        answer: (request, block) => {
          const named = { id: 'connection-0', ...CONNECTION };
          return {
            ...jsonPage(
              'connections',
              table([named], () => 'connection-0'),
              request,
            ),
            height: heightOf(block),
          };
        },
      },
    },
  };
}

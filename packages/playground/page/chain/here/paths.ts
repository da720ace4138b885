import { segmentOf } from '../../shell/route.js';

/** Where this server passes queries on. */
export const chainBase = '/chain';

const under = (path: string) => (id: string) => `${path}/${segmentOf(id)}`;

/** Paths of the query gateway that views ask for, with ids in their places. */
export const paths = {
  account: under('/cosmos/auth/v1beta1/account_info'),
  balances: under('/cosmos/bank/v1beta1/balances'),
  block: under('/cosmos/tx/v1beta1/txs/block'),
  blockHeader: under('/cosmos/base/tendermint/v1beta1/blocks'),
  blocks: '/proto/blocks',
  claim: under('/proto/claims/claim'),
  claims: '/proto/claims/claims',
  collection: under('/proto/claims/collection'),
  collections: '/proto/claims/collections',
  contract: under('/cosmwasm/wasm/v1/contract'),
  delegations: under('/cosmos/staking/v1beta1/delegations'),
  description: '/openapi.json',
  dispute: under('/proto/claims/dispute'),
  disputesAbout: under('/proto/claims/disputes-for-subject'),
  document: under('/proto/did/dids'),
  entities: '/proto/entity',
  entity: under('/proto/entity'),
  entityParams: '/proto/entity/params',
  token: under('/proto/token/metadata'),
  tokenParams: '/proto/token/params',
  tokensOf: under('/proto/token/minter'),
  transaction: under('/cosmos/tx/v1beta1/txs'),
  transactions: '/cosmos/tx/v1beta1/txs',
  validator: under('/cosmos/staking/v1beta1/validators'),
  validators: '/cosmos/staking/v1beta1/validators',
} as const;

import { segmentOf } from '../../shell/route.js';

/** The lists of the chain, in the order in which they are offered. */
export const views = [
  { id: 'entities', name: 'Entities' },
  { id: 'claims', name: 'Claims' },
  { id: 'collections', name: 'Collections' },
  { id: 'tokens', name: 'Tokens' },
  { id: 'validators', name: 'Validators' },
  { id: 'blocks', name: 'Blocks' },
  { id: 'queries', name: 'All queries' },
] as const;

/** Single objects, by id. */
const singles = [
  'accounts',
  'blocks',
  'claims',
  'collections',
  'disputes',
  'documents',
  'entities',
  'find',
  'queries',
  'tokens',
  'transactions',
  'validators',
] as const;

export type SingleView = (typeof singles)[number];

/** Whether the explorer has such a view: a list without an id, a single object with one. */
export function isKnown(view: string, id: string | undefined): boolean {
  return id === undefined ? views.some((one) => one.id === view) : isSingle(view);
}

/** Whether this view shows a single object. */
export function isSingle(view: string): view is SingleView {
  return singles.some((one) => one === view);
}

/** Whether it is the list that the chain begins with. */
export function isFirstList(view: string, id: string | undefined): boolean {
  return id === undefined && view === views[0].id;
}

export const PAGE_SIZE = 20;

/** The query for a page of a list of the chain; pages are counted from 1. */
export function pagePath(path: string, page: number, size = PAGE_SIZE): string {
  const query = new URLSearchParams({
    'pagination.limit': String(size),
    'pagination.offset': String((page - 1) * size),
  });
  return `${path}?${query}`;
}

/** The path under which this server forwards queries. */
export const chainBase = '/chain';

const under = (path: string) => (id: string) => `${path}/${segmentOf(id)}`;

/** Paths of the query gateway, with ids filled in. */
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

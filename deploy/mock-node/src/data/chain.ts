import type { Claim } from '@mlango/proto/ixo/claims/v1beta1/claim';
import type { AgentDepositBalance, Collection, MemberBudget } from '@mlango/proto/ixo/claims/v1beta1/collection';
import type { Dispute } from '@mlango/proto/ixo/claims/v1beta1/dispute';
import type { Intent } from '@mlango/proto/ixo/claims/v1beta1/intent';
import type { Entity } from '@mlango/proto/ixo/entity/v1beta1/entity';
import type { IidDocument } from '@mlango/proto/ixo/iid/v1beta1/iid';
import type { Token } from '@mlango/proto/ixo/token/v1beta1/token';
import { type Table, type TablesByOwner, table, tablesByOwner } from '../table.js';
import { makeAgents } from './agents.js';
import { makeClaims } from './claims/claims.js';
import { makeCollections } from './claims/collections.js';
import { makeDisputes } from './claims/disputes.js';
import { makeIntents } from './claims/intents.js';
import { makeDeposits, makeMemberBudgets } from './claims/members.js';
import { agentDocument, entityDocument } from './entities/documents.js';
import { makeEntities } from './entities/records.js';
import { defaultAddresses, type PublishedAddresses } from './published-addresses.js';
import { makeTokenMetadata, type TokenMetadata } from './tokens/metadata.js';
import { makeTokens } from './tokens/tokens.js';

/**
 * All the state of the chain. It never changes: the same at every height, on every machine, at every start, but for the
 * addresses that it publishes.
 */
export interface ChainState {
  readonly entities: Table<Entity>;
  readonly documents: Table<IidDocument>;
  readonly collections: Table<Collection>;
  readonly claims: Table<Claim>;
  /** By proof. */
  readonly disputes: Table<Dispute>;
  /** By subject, then by target role. */
  readonly disputesBySubject: TablesByOwner<Dispute>;
  /** By `<agent address>/<collection>/<id>`. */
  readonly intents: Table<Intent>;
  /** By collection, then by address. */
  readonly members: TablesByOwner<MemberBudget>;
  /** By collection, then by address. */
  readonly deposits: TablesByOwner<AgentDepositBalance>;
  /** By minter, then by contract. */
  readonly tokens: TablesByOwner<Token>;
  readonly tokenMetadata: Table<TokenMetadata>;
}

const made = new Map<string, ChainState>();

/** The state, made once in a process for the same addresses: nodes share what never changes. */
export function chainState(published: PublishedAddresses = defaultAddresses): ChainState {
  const key = `${published.oracle} ${published.gateway}`;
  const state = made.get(key) ?? makeChainState(published);
  made.set(key, state);
  return state;
}

/** Makes the state. Takes some tenths of a second, most of it for keys. */
export function makeChainState(published: PublishedAddresses = defaultAddresses): ChainState {
  const agents = makeAgents();
  const entities = makeEntities();
  const claims = makeClaims(agents);
  const disputes = makeDisputes(claims, agents);
  const tokens = makeTokens();
  const documents = [
    ...entities.map((_, index) => entityDocument(index + 1, agents, published)),
    ...agents.map((agent) => agentDocument(agent)),
  ];
  return {
    entities: table(entities, (entity) => entity.id),
    documents: table(documents, (document) => document.id),
    collections: table(makeCollections(claims, disputes), (collection) => collection.id),
    claims: table(claims, (claim) => claim.claim_id),
    disputes: table(disputes, (dispute) => dispute.data?.proof ?? ''),
    disputesBySubject: tablesByOwner(
      disputes,
      (dispute) => dispute.subject_id,
      (dispute) => String(dispute.target_role),
    ),
    intents: table(makeIntents(claims, agents), intentKey),
    members: tablesByOwner(
      makeMemberBudgets(agents),
      (budget) => budget.collection_id,
      (budget) => budget.member_address,
    ),
    deposits: tablesByOwner(
      makeDeposits(agents),
      (deposit) => deposit.collection_id,
      (deposit) => deposit.agent_address,
    ),
    tokens: tablesByOwner(
      tokens,
      (token) => token.minter,
      (token) => token.contract_address,
    ),
    tokenMetadata: table(makeTokenMetadata(tokens), (token) => token.id),
  };
}

/** Key of an intent. */
export function intentKey(intent: Pick<Intent, 'agent_address' | 'collection_id' | 'id'>): string {
  return `${intent.agent_address}/${intent.collection_id}/${intent.id}`;
}

import type { QueryServer } from '@mlango/proto/ixo/claims/v1beta1/query';
import type { ChainState } from '../../data/chain.js';
import { COLLECTION_IDS } from '../../data/claims/collections.js';
import { type QueryContext, serveUnary } from '../../serving/unary.js';
import { requireTexts } from '../../status-error.js';
import { notFound } from './errors.js';

type Participants = Pick<
  QueryServer,
  'collectionMember' | 'collectionMemberList' | 'agentDepositBalance' | 'agentDepositBalanceList'
>;

/** Queries for members of a collection and for deposits with it. An unknown collection has neither. */
export function participantQueries(context: QueryContext, state: ChainState): Participants {
  const collectionId = COLLECTION_IDS[0];
  return {
    collectionMember: serveUnary(context, {
      example: { collectionId, memberAddress: state.members.of(collectionId).first?.member_address ?? '' },
      answer: (request) => {
        requireTexts(request.collectionId, request.memberAddress);
        const budget = state.members.of(request.collectionId).get(request.memberAddress);
        if (!budget) throw notFound(1800);
        return { member_budget: budget };
      },
    }),
    collectionMemberList: serveUnary(context, {
      example: { collectionId, pagination: undefined },
      answer: (request) => {
        requireTexts(request.collectionId);
        const { items, pagination } = state.members.of(request.collectionId).page(request.pagination);
        return { member_budgets: items, pagination };
      },
    }),
    agentDepositBalance: serveUnary(context, {
      example: { collectionId, agentAddress: state.deposits.of(collectionId).first?.agent_address ?? '' },
      answer: (request) => {
        requireTexts(request.collectionId, request.agentAddress);
        const balance = state.deposits.of(request.collectionId).get(request.agentAddress);
        if (!balance) throw notFound(1901);
        return { balance };
      },
    }),
    agentDepositBalanceList: serveUnary(context, {
      example: { collectionId, pagination: undefined },
      answer: (request) => {
        requireTexts(request.collectionId);
        const { items, pagination } = state.deposits.of(request.collectionId).page(request.pagination);
        return { balances: items, pagination };
      },
    }),
  };
}

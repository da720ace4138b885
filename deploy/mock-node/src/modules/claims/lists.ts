import type { QueryServer } from '@mlango/proto/ixo/claims/v1beta1/query';
import type { ChainState } from '../../data/chain.js';
import { type QueryContext, serveUnary } from '../../serving/unary.js';
import { requireTexts } from '../../status-error.js';

type Lists = Pick<QueryServer, 'collectionList' | 'claimList' | 'disputeList' | 'intentList' | 'disputeListForSubject'>;

/** Queries for lists of the whole claims module. */
export function listQueries(context: QueryContext, state: ChainState): Lists {
  const example = { pagination: undefined };
  return {
    collectionList: serveUnary(context, {
      example,
      answer: (request) => {
        const { items, pagination } = state.collections.page(request.pagination);
        return { collections: items, pagination };
      },
    }),
    claimList: serveUnary(context, {
      example,
      answer: (request) => {
        const { items, pagination } = state.claims.page(request.pagination);
        return { claims: items, pagination };
      },
    }),
    disputeList: serveUnary(context, {
      example,
      answer: (request) => {
        const { items, pagination } = state.disputes.page(request.pagination);
        return { disputes: items, pagination };
      },
    }),
    intentList: serveUnary(context, {
      example,
      answer: (request) => {
        const { items, pagination } = state.intents.page(request.pagination);
        return { intents: items, pagination };
      },
    }),
    disputeListForSubject: serveUnary(context, {
      example: { subjectId: state.disputes.first?.subject_id ?? '' },
      answer: ({ subjectId }) => {
        requireTexts(subjectId);
        // Not a page: a subject has one dispute for each role, in the order of the roles.
        return { disputes: state.disputesBySubject.of(subjectId).page(undefined).items };
      },
    }),
  };
}

import type { QueryServer } from '@mlango/proto/ixo/claims/v1beta1/query';
import { decimal } from '../../data/amounts.js';
import { type ChainState, intentKey } from '../../data/chain.js';
import { CLAIM_COUNT } from '../../data/claims/claims.js';
import { COLLECTION_IDS } from '../../data/claims/collections.js';
import { address, contentId } from '../../data/identifiers.js';
import { type QueryContext, serveUnary } from '../../serving/unary.js';
import { requireTexts } from '../../status-error.js';
import { notFound } from './errors.js';

type Records = Pick<QueryServer, 'params' | 'collection' | 'claim' | 'intent' | 'dispute' | 'disputeBySubject'>;

/** Queries for the settings and for one record of the claims module. */
export function recordQueries(context: QueryContext, state: ChainState): Records {
  const intent = state.intents.first;
  const dispute = state.disputes.first;
  return {
    params: serveUnary(context, {
      example: {},
      answer: () => ({
        params: {
          collection_sequence: String(COLLECTION_IDS.length + 1),
          ixo_account: address('network'),
          network_fee_percentage: decimal('10'),
          node_fee_percentage: decimal('2.5'),
          intent_sequence: String(state.intents.size + 1),
        },
      }),
    }),
    collection: serveUnary(context, {
      example: { id: COLLECTION_IDS[0] },
      answer: ({ id }) => {
        requireTexts(id);
        return { collection: found(state.collections.get(id), 1001) };
      },
    }),
    claim: serveUnary(context, {
      example: { id: contentId(`claim ${CLAIM_COUNT}`) },
      answer: ({ id }) => {
        requireTexts(id);
        return { claim: found(state.claims.get(id), 1100) };
      },
    }),
    intent: serveUnary(context, {
      example: {
        id: intent?.id ?? '',
        agentAddress: intent?.agent_address ?? '',
        collectionId: intent?.collection_id ?? '',
      },
      answer: ({ id, agentAddress, collectionId }) => {
        requireTexts(id, agentAddress, collectionId);
        const key = intentKey({ agent_address: agentAddress, collection_id: collectionId, id });
        return { intent: found(state.intents.get(key), 1500) };
      },
    }),
    dispute: serveUnary(context, {
      example: { proof: dispute?.data?.proof ?? '' },
      answer: ({ proof }) => {
        requireTexts(proof);
        return { dispute: found(state.disputes.get(proof), 1200) };
      },
    }),
    disputeBySubject: serveUnary(context, {
      example: { subjectId: dispute?.subject_id ?? '', targetRole: dispute?.target_role ?? 1 },
      answer: ({ subjectId, targetRole }) => {
        requireTexts(subjectId);
        return { dispute: found(state.disputesBySubject.of(subjectId).get(String(targetRole)), 1910) };
      },
    }),
  };
}

function found<T>(record: T | undefined, code: Parameters<typeof notFound>[0]): T {
  if (record === undefined) throw notFound(code);
  return record;
}

import { status } from '@grpc/grpc-js';
import type { QueryServer } from '@mlango/proto/ixo/iid/v1beta1/query';
import type { ChainState } from '../data/chain.js';
import { entityDid } from '../data/identifiers.js';
import { type QueryContext, serveUnary } from '../serving/unary.js';
import { requireTexts, StatusError } from '../status-error.js';

/** `ixo.iid.v1beta1.Query`. An unknown id is NOT_FOUND. */
export function iidModule(context: QueryContext, state: ChainState): QueryServer {
  return {
    iidDocuments: serveUnary(context, {
      example: { pagination: undefined },
      answer: (request) => {
        const { items, pagination } = state.documents.page(request.pagination);
        return { iidDocuments: items, pagination };
      },
    }),
    iidDocument: serveUnary(context, {
      example: { id: entityDid(1) },
      answer: ({ id }) => {
        requireTexts(id);
        const iidDocument = state.documents.get(id);
        if (!iidDocument) throw new StatusError(status.NOT_FOUND, 'did document not found');
        return { iidDocument };
      },
    }),
  };
}

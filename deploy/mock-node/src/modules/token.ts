import type { QueryServer } from '@mlango/proto/ixo/token/v1beta1/query';
import type { ChainState } from '../data/chain.js';
import { minterAddress } from '../data/tokens/tokens.js';
import { type QueryContext, serveUnary } from '../serving/unary.js';
import { moduleError, requireTexts } from '../status-error.js';

const CONTRACT_CODE = '25';

/** `ixo.token.v1beta1.Query`. What is unknown is UNKNOWN: 1001 token, 1002 token properties. */
export function tokenModule(context: QueryContext, state: ChainState): QueryServer {
  const minter = minterAddress(1);
  return {
    params: serveUnary(context, {
      example: {},
      answer: () => ({ params: { ixo1155_contract_code: CONTRACT_CODE } }),
    }),
    tokenMetadata: serveUnary(context, {
      example: { id: state.tokenMetadata.first?.id ?? '' },
      answer: ({ id }) => {
        requireTexts(id);
        const token = state.tokenMetadata.get(id);
        if (!token) throw moduleError('token', 1002, 'token properties not found');
        return { ...token.metadata };
      },
    }),
    tokenList: serveUnary(context, {
      example: { minter, pagination: undefined },
      answer: (request) => {
        requireTexts(request.minter);
        const { items, pagination } = state.tokens.of(request.minter).page(request.pagination);
        return { pagination, tokenDocs: items };
      },
    }),
    tokenDoc: serveUnary(context, {
      example: { minter, contract_address: state.tokens.of(minter).first?.contract_address ?? '' },
      answer: (request) => {
        requireTexts(request.minter, request.contract_address);
        const tokenDoc = state.tokens.of(request.minter).get(request.contract_address);
        if (!tokenDoc) throw moduleError('token', 1001, 'token not found');
        return { tokenDoc };
      },
    }),
  };
}

import type { QueryServer } from '@mlango/proto/ixo/claims/v1beta1/query';
import type { ChainState } from '../../data/chain.js';
import type { QueryContext } from '../../serving/unary.js';
import { listQueries } from './lists.js';
import { participantQueries } from './participants.js';
import { recordQueries } from './records.js';

/** `ixo.claims.v1beta1.Query`. What is unknown is UNKNOWN, with the module's own code in the text. */
export function claimsModule(context: QueryContext, state: ChainState): QueryServer {
  return {
    ...recordQueries(context, state),
    ...listQueries(context, state),
    ...participantQueries(context, state),
  };
}

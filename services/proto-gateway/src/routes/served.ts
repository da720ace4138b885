import type { RouteTable } from '../catalog/route-table.js';
import { type Answer, errorAnswer } from '../query/answer.js';
import type { QueryGateway } from '../query/query-gateway.js';
import { GRPC_CODES } from '../transcoding/grpc-status.js';

/** What requests are matched with and answered by. */
export interface Served {
  readonly table: RouteTable;
  readonly gateway: QueryGateway;
}

/** The answer to every request while it is not known what the node serves. */
export function notKnownYet(): Answer {
  const message = 'The chain node has not said yet what it serves';
  return errorAnswer({ code: GRPC_CODES.unavailable, message, details: [] }, [], { 'retry-after': '2' });
}

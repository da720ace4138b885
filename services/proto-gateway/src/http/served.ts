import { GRPC_CODES, type RpcStatus } from '@mlango/transcoder/grpc-status';
import type { Route, RouteTable } from '../catalog/route-table.js';
import type { CallRpc } from '../protocols/call-rpc.js';
import { type Answer, errorAnswer } from '../query/answer.js';
import type { QueryGateway } from '../query/query-gateway.js';

/** What requests are matched with and answered by. */
export interface Served {
  readonly table: RouteTable;
  readonly gateway: QueryGateway;
  /** The rpcs that have a route, by name. */
  readonly rpcs: ReadonlyMap<string, Route>;
  readonly callRpc: CallRpc;
}

/** What every request is told while it is not known what the node serves. */
export const NOT_KNOWN_YET: RpcStatus = {
  code: GRPC_CODES.unavailable,
  message: 'The chain node has not said yet what it serves',
  details: [],
};

export function notKnownYet(): Answer {
  return errorAnswer(NOT_KNOWN_YET, [], { 'retry-after': '2' });
}

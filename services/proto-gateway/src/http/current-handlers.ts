import { GRPC_CODES, type RpcStatus } from '@mlango/transcoder/grpc-status';
import { type Answer, errorAnswer } from '../answers/answer.js';
import type { Route, RouteTable } from '../catalog/routes.js';
import type { CallRpc } from '../protocols/call-rpc.js';
import type { QueryGateway } from '../query/query-gateway.js';

/** Matches requests and answers them. */
export interface CurrentHandlers {
  readonly table: RouteTable;
  readonly gateway: QueryGateway;
  /** The rpcs that have a route, by name. */
  readonly rpcs: ReadonlyMap<string, Route>;
  readonly callRpc: CallRpc;
}

/** The status of requests while the catalog is unknown. */
export const CATALOG_UNKNOWN: RpcStatus = {
  code: GRPC_CODES.unavailable,
  message: 'The chain node has not reported its services yet',
  details: [],
};

export function catalogUnknown(): Answer {
  return errorAnswer(CATALOG_UNKNOWN, [], { 'retry-after': '2' });
}

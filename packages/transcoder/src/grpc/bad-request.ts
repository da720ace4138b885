import type { Violation } from '../bind/violation.js';
import { GRPC_CODES, type RpcStatus } from './grpc-status.js';

/** The answer to a request that does not fit its method, with a google.rpc.BadRequest for programs. */
export function badRequest(violations: readonly Violation[]): RpcStatus {
  const sentences = violations.map(({ field, description }) => `${field} ${description}`);
  return {
    code: GRPC_CODES.invalidArgument,
    message: sentences.join('; ').slice(0, 1000),
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        field_violations: violations.map(({ field, description }) => ({ field, description })),
      },
    ],
  };
}

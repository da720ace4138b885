import type { RpcStatus } from '@mlango/transcoder/grpc-status';
import { encodeDetails, typeOfDetail } from '../error-details.js';

/** The names of the gRPC codes, by number. Source: the Connect protocol. */
const NAMES = [
  'ok',
  'canceled',
  'unknown',
  'invalid_argument',
  'deadline_exceeded',
  'not_found',
  'already_exists',
  'permission_denied',
  'resource_exhausted',
  'failed_precondition',
  'aborted',
  'out_of_range',
  'unimplemented',
  'internal',
  'unavailable',
  'data_loss',
  'unauthenticated',
] as const;

/** `{"code", "message", "details"}` with the details in bytes. Source: the Connect protocol, Error. */
export function connectError(status: RpcStatus): Readonly<Record<string, unknown>> {
  const details = encodeDetails(status).map(({ typeUrl, value }) => {
    return { type: typeOfDetail(typeUrl), value: Buffer.from(value).toString('base64').replace(/=+$/, '') };
  });
  return { code: NAMES[status.code], message: status.message, ...(details.length === 0 ? {} : { details }) };
}

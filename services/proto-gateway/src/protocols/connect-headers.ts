import { ServiceError } from '@mlango/service-kit/errors';
import { LONGEST_TIMEOUT_MS } from '@mlango/transcoder/grpc-timeout';
import type { SpokenRequest } from './tongue.js';

/** What both forms of Connect say in headers. @throws {ServiceError} `invalid_argument` for another version, or no time */
export function readConnectHeaders({ headers }: SpokenRequest): { readonly timeoutMs: number | undefined } {
  const version = headers['connect-protocol-version'] ?? '1';
  if (version !== '1') throw new ServiceError('invalid_argument', 'Connect-Protocol-Version must be 1');
  const text = headers['connect-timeout-ms'];
  if (text === undefined) return { timeoutMs: undefined };
  if (typeof text !== 'string' || !/^[0-9]{1,10}$/.test(text)) {
    throw new ServiceError('invalid_argument', 'Connect-Timeout-Ms must be up to ten digits');
  }
  return { timeoutMs: Math.min(Number(text), LONGEST_TIMEOUT_MS) };
}

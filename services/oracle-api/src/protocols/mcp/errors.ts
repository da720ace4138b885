import type { RenderError } from '@mlango/service-kit/errors';
import { ServiceError } from '@mlango/service-kit/errors';
import { errorOf, renderRpcError, rpcErrorReplies, rpcErrorWith } from '../json-rpc.js';
import { challengeFor } from './access.js';

/** Errors have the form of JSON-RPC; a 401 has the address of the authentication metadata. */
export const renderError: RenderError = (error, request) => ({
  ...renderRpcError(error, request),
  ...(error.status === 401 && request ? { headers: { 'www-authenticate': challengeFor(request) } } : {}),
});

export const errorReplies = rpcErrorReplies;

export const resourceNotFound = (uri: string): ServiceError =>
  rpcErrorWith(-32_002, 'not_found', 'Resource not found', { uri: uri.slice(0, 200) });

/** The body of a 405. */
export function noOwnStream() {
  const message = 'Last-Event-ID is missing: the server initiates no messages';
  return errorOf(null, new ServiceError('not_found', message));
}

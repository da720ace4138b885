import { paymentRequired } from '@mlango/schemas/oracle-runs';
import { renderJsonError, ServiceError } from '@mlango/service-kit/errors';
import { errorReplies as jsonReplies } from '../../http/errors.js';

/** Errors of requests have the form of the REST API; those of a running answer are chunks. */
export const renderError = renderJsonError;

export const errorReplies = () => ({ 402: paymentRequired, ...jsonReplies(400, 401, 404, 409, 413, 415) });

export const noPendingCall = (): ServiceError =>
  new ServiceError('not_found', 'This session has no pending call of that answer');

export const messageNotFound = (): ServiceError => new ServiceError('not_found', 'Message not found');

/** The chunk of a failed answer. */
export function runError(message: string) {
  return { type: 'error' as const, errorText: message };
}

import { paymentRequired } from '@mlango/schemas/oracle-runs';
import { renderJsonError, type ServiceError } from '@mlango/service-kit/errors';
import { errorReplies as jsonReplies, refusedField } from '../../http/errors.js';

/** Errors of requests have the form of the REST API; those of a running answer are events. */
export const renderError = renderJsonError;

export const errorReplies = () => ({ 402: paymentRequired, ...jsonReplies(400, 401, 404, 409, 413, 415) });

export const noPendingCall = (): ServiceError => refusedField('body', 'resume', 'this thread has no such pending call');

/** The event of a failed run, or of a stopped run for clients that have no outcome for it. */
export function runError(message: string, code: string) {
  return { type: 'RUN_ERROR', message, code };
}

import { publicText, type RenderError, ServiceError } from '@mlango/service-kit/errors';
import { z } from 'zod';
import type { TurnFailure } from '../../agent/turn.js';

const errorBody = z
  .object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable().describe('the invalid field, if the error concerns one field'),
    code: z.string().nullable(),
  })
  .catchall(z.unknown());

/** Error body of this protocol. */
export const openAiError = z.object({ error: errorBody }).describe('An error.');

const codeOfStatus: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  402: 'insufficient_quota',
  429: 'rate_limit_exceeded',
};

export const renderError: RenderError = (error) => {
  const { fields, code, ...details } = error.status < 500 ? error.details : {};
  const [param = null] = Array.isArray(fields) ? fields.map(String) : [];
  const words = { message: publicText(error), type: typeOf(error.status), param };
  const named = typeof code === 'string' ? code : (codeOfStatus[error.status] ?? null);
  return { body: { error: { ...words, code: named, ...details, ...error.publicFields } } };
};

/** Error event of a turn that failed after its stream had begun. */
export function runError({
  kind,
  code = kind,
  detail,
}: Pick<TurnFailure, 'kind' | 'code' | 'detail'>): z.input<typeof openAiError> {
  return { error: { message: detail, type: 'server_error', param: null, code } };
}

/** An invalid field of a request that its schema cannot detect. */
export function refusedParam(param: string, message: string, code?: string): ServiceError {
  return new ServiceError('invalid_argument', message, { details: { fields: [param], ...(code && { code }) } });
}

/** Error statuses that every route of this protocol can return. */
const always = [401, 429, 500, 503] as const;

type Status = 400 | 402 | 404 | 409 | 413 | 415 | 504;

/** Error replies of a route, for its schema. */
export function errorReplies<const Statuses extends readonly Status[]>(...statuses: Statuses) {
  const entries = [...statuses, ...always].map((status) => [status, openAiError] as const);
  return Object.fromEntries(entries) as Record<Statuses[number] | (typeof always)[number], typeof openAiError>;
}

function typeOf(status: number): string {
  if (status === 401 || status === 403) return 'authentication_error';
  if (status === 402) return 'insufficient_quota';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

import { APICallError } from 'ai';
import { ModelError, type ModelErrorKind } from '../model-error.js';
import { type EndpointError, endpointError, errorInBody } from './endpoint-error.js';
import { loggable, refusalOf } from './refusal.js';

const details: Readonly<Record<ModelErrorKind, string>> = {
  rate_limit: 'The model is busy. Please try again in a few minutes.',
  billing: 'The account of this service at its model provider has to be topped up. Please contact the operator.',
  auth: 'The model provider does not accept this service. Please contact the operator.',
  timeout: 'The model took too long to answer.',
  server: 'The model provider has a problem. Please try again later.',
  network: 'The model could not be reached, or the connection to it was lost.',
  interrupted: 'The answer was interrupted.',
  unknown: 'The model provider refused the request.',
};

const retryableKinds: ReadonlySet<ModelErrorKind> = new Set(['rate_limit', 'timeout', 'server', 'network']);

/**
 * Maps a provider's failure to a documented kind. The user sees only the kind of a refusal; the log has its code, type and parameter.
 * The provider's text, address and headers are dropped, because providers repeat keys in them.
 */
export function providerError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (APICallError.isInstance(error)) {
    const { statusCode: status = 0, responseBody, responseHeaders } = error;
    // A successful reply that could not be read to its end carries its status too.
    return status < 400 ? modelError('network') : ofStatus(status, errorInBody(responseBody) ?? {}, responseHeaders);
  }
  // An error within a stream is the provider's own object.
  const reported = endpointError(error);
  if (reported !== undefined) {
    const { kind, detail } = refusalOf(reported) ?? { kind: 'server' };
    return modelError(kind, { reported, detail });
  }
  const isFromSocket = error instanceof Error && !error.name.startsWith('AI_');
  return modelError(isFromSocket ? 'network' : 'server');
}

function ofStatus(status: number, reported: EndpointError, headers: Record<string, string> | undefined): ModelError {
  const refusal = refusalOf(reported);
  // Providers also use 403 for a model or a text that is not permitted.
  const isGeneral = status === 403 || kindOfStatus(status) === 'unknown';
  const isOfStatus = refusal === undefined || (refusal.kind === 'unknown' && !isGeneral);
  const tooLong = status === 413 ? refusalOf({ code: 'request_too_large' }) : undefined;
  const { kind, detail } = tooLong ?? (isOfStatus ? { kind: kindOfStatus(status) } : refusal);
  return modelError(kind, { status, reported, detail, retryAfterMs: retryAfterMs(headers) });
}

function kindOfStatus(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'billing';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 429) return 'rate_limit';
  return status >= 500 ? 'server' : 'unknown';
}

interface Known {
  readonly status?: number;
  readonly reported?: EndpointError;
  readonly detail?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

function modelError(kind: ModelErrorKind, { status, reported = {}, detail, retryAfterMs }: Known = {}): ModelError {
  const cause = causeOf(status, reported);
  const retryable = retryableKinds.has(kind);
  return new ModelError(kind, detail ?? details[kind], { retryable, status, retryAfterMs, cause });
}

/** For the log. */
function causeOf(status: number | undefined, reported: EndpointError): Error | undefined {
  const words = loggable(reported);
  if (status === undefined && words.length === 0) return undefined;
  return new Error(`the provider answered ${[status ?? 'during the stream', ...words].join(', ')}`);
}

function retryAfterMs(headers: Record<string, string> | undefined): number | undefined {
  const seconds = headers?.['retry-after'];
  return seconds !== undefined && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}

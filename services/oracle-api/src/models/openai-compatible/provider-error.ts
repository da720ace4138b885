import { APICallError } from 'ai';
import { z } from 'zod';
import { ModelError, type ModelErrorKind } from '../model-error.js';

/** Words of providers that say more than their status does. */
const kindOfCode: Readonly<Record<string, ModelErrorKind>> = {
  insufficient_quota: 'billing',
  billing_hard_limit_reached: 'billing',
  billing_not_active: 'billing',
  invalid_api_key: 'auth',
  rate_limit_exceeded: 'rate_limit',
  server_error: 'server',
  overloaded_error: 'server',
};

const tooLong = 'context_length_exceeded';

const details: Readonly<Record<ModelErrorKind, string>> = {
  rate_limit: 'The model is asked too much at the moment. Please try again in a while.',
  billing: 'The account of this service at its model provider has to be topped up. Its operator has to see to that.',
  auth: 'The model provider does not accept this service. Its operator has to see to that.',
  timeout: 'The model took too long to answer.',
  server: 'The model provider has a problem of its own.',
  network: 'The model could not be reached, or the connection to it was lost.',
  interrupted: 'The answer was interrupted.',
  unknown: 'The model provider refused the request.',
};

const retryableKinds: ReadonlySet<ModelErrorKind> = new Set(['rate_limit', 'timeout', 'server', 'network']);

/**
 * What went wrong at a provider, as one of the documented kinds. Nothing of the provider's own text, address or headers is
 * taken over, not even for the log: providers repeat keys in what they say.
 */
export function providerError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (APICallError.isInstance(error)) {
    const { statusCode: status = 0, responseBody, responseHeaders } = error;
    // A reply that began well and could not be read to its end carries its status too.
    return status < 400 ? modelError('network') : ofStatus(status, codeIn(responseBody), responseHeaders);
  }
  // An error in the midst of a stream: the provider's own object, as it came.
  const code = codeOf(error);
  if (code !== undefined) return modelError(kindOfCode[code] ?? 'server', { code });
  const isFromSocket = error instanceof Error && !error.name.startsWith('AI_');
  return modelError(isFromSocket ? 'network' : 'server');
}

function ofStatus(status: number, code: string | undefined, headers: Record<string, string> | undefined): ModelError {
  if (code === tooLong || status === 413) {
    const detail = 'The conversation is too long for this model.';
    return new ModelError('unknown', detail, { retryable: false, status, cause: causeOf(status, code) });
  }
  const kind = (code === undefined ? undefined : kindOfCode[code]) ?? kindOfStatus(status);
  return modelError(kind, { status, code, retryAfterMs: retryAfterMs(headers) });
}

function kindOfStatus(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'billing';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 429) return 'rate_limit';
  return status >= 500 ? 'server' : 'unknown';
}

function modelError(
  kind: ModelErrorKind,
  told: { status?: number; code?: string | undefined; retryAfterMs?: number | undefined } = {},
): ModelError {
  const { status, code, retryAfterMs } = told;
  const cause = causeOf(status, code);
  return new ModelError(kind, details[kind], { retryable: retryableKinds.has(kind), status, retryAfterMs, cause });
}

/** For the log: only words that are known here. */
function causeOf(status: number | undefined, code: string | undefined): Error | undefined {
  const known = code !== undefined && (code === tooLong || Object.hasOwn(kindOfCode, code)) ? code : undefined;
  if (status === undefined && known === undefined) return undefined;
  return new Error(`the provider answered ${[status, known].filter((word) => word !== undefined).join(' ')}`);
}

const errorObject = z.object({ code: z.unknown().optional(), type: z.unknown().optional() });
const errorBody = z.object({ error: errorObject });

function codeIn(body: string | undefined): string | undefined {
  try {
    const parsed = errorBody.safeParse(JSON.parse(body ?? ''));
    return parsed.success ? codeOf(parsed.data.error) : undefined;
  } catch {
    return undefined;
  }
}

/** The first word of an error object that says something here, or any there is. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof Error) return undefined;
  const parsed = errorObject.safeParse(error);
  if (!parsed.success) return undefined;
  const words = [parsed.data.code, parsed.data.type].filter((word) => typeof word === 'string');
  return words.find((word) => word === tooLong || Object.hasOwn(kindOfCode, word)) ?? words[0];
}

function retryAfterMs(headers: Record<string, string> | undefined): number | undefined {
  const seconds = headers?.['retry-after'];
  return seconds !== undefined && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}

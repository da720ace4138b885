import { parseJson } from '@mlango/service-kit/parse-json';
import { z } from 'zod';

/** An endpoint's error with its original text, which must not be logged or shown unchanged. */
export interface EndpointError {
  readonly code?: string;
  readonly type?: string;
  /** The request field that the error concerns. */
  readonly param?: string;
  readonly message?: string;
}

const word = z.string().min(1).optional().catch(undefined);
const errorObject = z.object({
  code: word,
  type: word,
  param: word,
  message: word,
  /** Google's name for its code. */
  status: word,
  /** OpenRouter: the text of the underlying provider. */
  metadata: z.object({ raw: word }).optional().catch(undefined),
});

/** The error in the body of a refusal; undefined if it cannot be read. */
export function errorInBody(body: string | undefined): EndpointError | undefined {
  const parsed = parseJson(body ?? '');
  // Google wraps it into a list.
  const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (typeof first !== 'object' || first === null) return undefined;
  return endpointError('error' in first ? first.error : first);
}

/** Reads the error object itself. */
export function endpointError(error: unknown): EndpointError | undefined {
  if (error instanceof Error) return undefined;
  const read = errorObject.safeParse(error);
  if (!read.success) return undefined;
  const { code, type, param, message, status, metadata } = read.data;
  const behind = metadata?.raw === undefined ? undefined : errorInBody(metadata.raw);
  return behind ?? pick({ code: code ?? status, type, param, message });
}

function pick(words: Record<keyof EndpointError, string | undefined>): EndpointError | undefined {
  const there = Object.entries(words).filter(([, value]) => value !== undefined);
  return there.length === 0 ? undefined : Object.fromEntries(there);
}

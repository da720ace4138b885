import { STATUS_CODES } from 'node:http';
import type { FastifyRequest } from 'fastify';
/** Every failure of a request as callers of any service see it, with its HTTP status. */
export const statusOfCode = {
  invalid_argument: 400,
  unauthenticated: 401,
  payment_required: 402,
  permission_denied: 403,
  not_found: 404,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  request_timeout: 408,
  headers_too_large: 431,
  rate_limited: 429,
  cancelled: 499,
  internal: 500,
  unimplemented: 501,
  unavailable: 503,
  deadline_exceeded: 504,
} as const;

export type ErrorCode = keyof typeof statusOfCode;

export interface ServiceErrorOptions {
  /** The underlying error; for the log, never for the caller. */
  readonly cause?: unknown;
  /** Further fields of the reply, in a shape known to the service's renderer. Omitted for server errors (5xx). */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The same for any status: fields that reveal nothing about the cause. */
  readonly publicFields?: Readonly<Record<string, unknown>>;
  /** Reply headers, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of the limit that was reached, for the metrics. Default for `rate_limited`: `caller`. */
  readonly limiter?: string;
}

/** An error with a text for the caller. Details for the log are in `cause`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly publicMessage: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly publicFields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly limiter: string | undefined;

  constructor(code: ErrorCode, publicMessage: string, options: ServiceErrorOptions = {}) {
    super(publicMessage, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.publicMessage = publicMessage;
    this.details = options.details ?? {};
    this.publicFields = options.publicFields ?? {};
    this.headers = options.headers ?? {};
    this.limiter = options.limiter ?? (code === 'rate_limited' ? 'caller' : undefined);
  }

  /** The HTTP status of the code. */
  get status(): number {
    return statusOfCode[this.code];
  }
}

/** Texts of server errors for the caller. One per code: nothing of the cause is revealed. */
export const genericMessages = {
  internal: 'Internal server error',
  unavailable: 'Service temporarily unavailable',
  deadline_exceeded: 'The request took too long',
} as const;

export interface RenderedError {
  /** Text and bytes are sent unchanged, an object as JSON. */
  readonly body: string | Buffer | object;
  /** HTTP status. Default: the error's own. */
  readonly status?: number;
  /** Media type. Default: `text/plain` for text and `application/json` for an object. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Renders an error as a reply. `request` is absent if the bytes were not valid HTTP. */
export type RenderError = (error: ServiceError, request?: FastifyRequest) => RenderedError;

/** `{statusCode, error, message}`, the shape clients of the REST services read. */
export const renderJsonError: RenderError = (error) => ({
  body: {
    statusCode: error.status,
    error: reasonPhrase(error.status),
    message: publicText(error),
    ...(error.status < 500 ? error.details : {}),
    ...error.publicFields,
  },
});

/** The text that a caller may see. For server errors the generic text of the code. */
export function publicText(error: ServiceError): string {
  const generic = Object.hasOwn(genericMessages, error.code)
    ? genericMessages[error.code as keyof typeof genericMessages]
    : undefined;
  return generic ?? error.publicMessage;
}

/** The standard name of an HTTP status. */
export function reasonPhrase(status: number): string {
  return status === 499 ? 'Client Closed Request' : (STATUS_CODES[status] ?? 'Error');
}

/** The `rate_limited` error with its `Retry-After`. @param limiter the limit that was reached, for the metrics */
export function tooManyRequests(retryAfterSeconds: number, limiter = 'caller'): ServiceError {
  const seconds = Math.max(1, retryAfterSeconds);
  return new ServiceError('rate_limited', `Too many requests. Retry in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
    limiter,
  });
}

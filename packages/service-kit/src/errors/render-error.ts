import { STATUS_CODES } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { genericMessages, type ServiceError } from './service-error.js';

export interface RenderedError {
  /** Text and bytes are sent as they are, an object as JSON. */
  readonly body: string | Buffer | object;
  /** HTTP status; the error's own unless given. */
  readonly status?: number;
  /** Media type; `text/plain` for text and `application/json` for an object unless given. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a service words a failure. `request` is absent when the bytes were not HTTP enough to make one. */
export type RenderError = (error: ServiceError, request?: FastifyRequest) => RenderedError;

/** `{statusCode, error, message}`, the shape clients of the REST services read. */
export const renderJsonError: RenderError = (error) => ({
  body: {
    statusCode: error.status,
    error: reasonPhrase(error.status),
    message: publicText(error),
    ...(error.status < 500 ? error.details : {}),
    ...error.told,
  },
});

/** The text a caller may see. For failures on this side it is the generic one of its code, whatever the error says. */
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

import { ussdFixedReplies } from '@mlango/schemas/ussd';
import { type RenderError, renderJsonError, type ServiceError } from '@mlango/service-kit/errors';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that a telecom gateway calls: its failures are replies of USSD, not of HTTP. */
    hop?: boolean;
  }
}

const callersFault: ReadonlySet<string> = new Set(['invalid_argument', 'payload_too_large', 'unsupported_media_type']);

/**
 * Failures of a hop are told to the user with 200: gateways drop the session on any other status, and nobody would see
 * the text. Only the rate limit is a status of its own. Other routes have JSON errors.
 */
export const renderError: RenderError = (error, request) => {
  if (!isHop(request)) return renderJsonError(error, request);
  return error.code === 'rate_limited'
    ? { body: ussdFixedReplies.tooManyRequests, status: 429 }
    : { body: textOf(error), status: 200 };
};

function textOf(error: ServiceError): string {
  return callersFault.has(error.code) ? ussdFixedReplies.invalidInput : ussdFixedReplies.unavailable;
}

function isHop(request: FastifyRequest | undefined): boolean {
  return request?.routeOptions.config.hop === true;
}

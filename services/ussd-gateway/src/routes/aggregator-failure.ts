import { ussdFixedReplies } from '@mlango/schemas/ussd';
import type { RenderedError, ServiceError } from '@mlango/service-kit/errors';
import type { FastifyRequest } from 'fastify';
import type { Door } from '../aggregators/aggregator.js';
import { rawOf } from './aggregator-request.js';

const texts: Readonly<Record<string, string>> = {
  invalid_argument: ussdFixedReplies.invalidInput,
  payload_too_large: ussdFixedReplies.invalidInput,
  unsupported_media_type: ussdFixedReplies.invalidInput,
  rate_limited: ussdFixedReplies.tooManyRequests,
};

/** Told by their status too; nothing else is: gateways drop the session on it, and nobody would see the text. */
const statuses: Readonly<Record<string, number>> = { rate_limited: 429, permission_denied: 403 };

/** A failure in the form that the gateway reads, for the user to see. Nothing of its cause shows. */
export function failureOf(door: Door, error: ServiceError, request: FastifyRequest): RenderedError {
  const text = texts[error.code] ?? ussdFixedReplies.unavailable;
  const said = { message: text.replace(/^END /, ''), closes: true, failure: error.status };
  const { body, headers = {} } = door.encode(said, rawOf(door, request));
  return { body, headers, status: statuses[error.code] ?? 200 };
}

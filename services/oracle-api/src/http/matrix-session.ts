import { sendLimits } from '@mlango/schemas/oracle-send';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { MatrixSession } from '../agent/lifecycle/turn-request.js';

/** What comes with a request and is for its turn alone. */
export const matrixHeaders = z.object({
  'x-matrix-access-token': z
    .string()
    .max(sendLimits.matrixTokenChars)
    .optional()
    .describe("Token of the user's Matrix session, to read attachments with; neither kept nor logged"),
  'x-matrix-homeserver': z
    .string()
    .max(sendLimits.homeServerChars)
    .optional()
    .describe("URL of the user's Matrix homeserver; the body's `homeServer` stands before it"),
});

/** The body names the homeserver before the header does. What is empty counts as not sent. */
export function matrixSession({ headers }: FastifyRequest, named: string | undefined): MatrixSession | undefined {
  const sent = (name: string) => [headers[name]].flat().find((value) => value !== undefined && value !== '');
  const homeserver = named === '' || named === undefined ? sent('x-matrix-homeserver') : named;
  const accessToken = sent('x-matrix-access-token');
  if (homeserver === undefined && accessToken === undefined) return undefined;
  return { homeserver, accessToken };
}

import type { HttpApp } from '@mlango/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorReplies } from '../../http/error-replies.js';
import type { OracleIdentity } from '../../identity/oracle-identity.js';

const wellKnown = '/.well-known/oauth-protected-resource';

/** What RFC 9728 says of a protected resource, and what opens this one. */
const metadata = z
  .looseObject({
    resource: z.string(),
    resource_name: z.string(),
    bearer_methods_supported: z.array(z.literal('header')),
    ucan: z
      .object({ audience: z.string(), can: z.string(), with: z.string() })
      .describe('what the bearer token has to invoke'),
  })
  .describe('How to get in: there is no authorisation server, users mint their tokens themselves');

/** Says what opens the door, at the addresses where clients look for it: public. */
export function explainAccess(scope: HttpApp, oracle: OracleIdentity): void {
  for (const path of [wellKnown, `${wellKnown}/mcp`]) {
    scope.get(
      path,
      {
        schema: {
          tags: ['mcp'],
          summary: 'OAuth metadata of the MCP endpoint (RFC 9728)',
          response: { 200: metadata, ...errorReplies() },
        },
      },
      async (request) => ({
        resource: `${request.publicUrl}/mcp`,
        resource_name: oracle.name,
        bearer_methods_supported: ['header' as const],
        ucan: { audience: oracle.did, can: '*', with: 'ixo:oracle' },
      }),
    );
  }
}

/** The header of a 401. */
export function challengeFor(request: FastifyRequest): string {
  return `Bearer resource_metadata="${request.publicUrl}${wellKnown}/mcp"`;
}

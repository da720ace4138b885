import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorReplies } from '../../http/errors.js';
import type { OracleIdentity } from '../../identity/oracle-identity.js';
import type { ProtocolDeps } from '../protocol-deps.js';

const wellKnown = '/.well-known/oauth-protected-resource';

/** Metadata of a protected resource (RFC 9728), with the UCAN to invoke. */
const metadata = z
  .looseObject({
    resource: z.string(),
    resource_name: z.string(),
    bearer_methods_supported: z.array(z.literal('header')),
    ucan: z
      .object({ audience: z.string(), can: z.string(), with: z.string() })
      .describe('capability that the bearer token must invoke'),
  })
  .describe('Metadata for authentication: there is no authorization server, users create their tokens themselves');

/** Serves the metadata at the well-known paths, without authentication. */
export function explainAccess(scope: HttpApp, oracle: OracleIdentity): void {
  for (const path of [wellKnown, `${wellKnown}/mcp`]) {
    scope.get(
      path,
      {
        schema: {
          tags: ['mcp'],
          summary: 'Get the OAuth metadata of the MCP endpoint (RFC 9728)',
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

/** `WWW-Authenticate` of a 401. */
export function challengeFor(request: FastifyRequest): string {
  return `Bearer resource_metadata="${request.publicUrl}${wellKnown}/mcp"`;
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);
const loopbackAddresses = new Set(['127.0.0.1', '::1']);

type PageDeps = Pick<ProtocolDeps, 'corsOrigins' | 'allowsLoopbackPages' | 'trustProxy'>;

/**
 * A hook that refuses requests of foreign web pages ("Security Warning" of MCP's Streamable HTTP transport): an `Origin` that is not
 * allowed, and, at a loopback listener without a proxy, a `Host` that is not loopback (DNS rebinding).
 * Clients that are not browsers send no `Origin`.
 * @throws ServiceError `permission_denied`
 */
export function refuseForeignPages({ corsOrigins, allowsLoopbackPages, trustProxy }: PageDeps) {
  const isAllowed = (origin: string) =>
    corsOrigins.includes(origin) ||
    (allowsLoopbackPages ? loopbackNames.has(hostnameOf(origin)) : corsOrigins.includes('*'));
  return async ({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>): Promise<void> => {
    const { origin, host = '' } = headers;
    if (origin !== undefined && !isAllowed(origin)) {
      throw new ServiceError(
        'permission_denied',
        'Requests from this origin are not allowed: CORS_ORIGIN lists the allowed origins',
      );
    }
    const isLoopbackListener = trustProxy === false && loopbackAddresses.has(socket.localAddress ?? '');
    if (isLoopbackListener && !loopbackNames.has(hostnameOf(`http://${host}`))) {
      throw new ServiceError('permission_denied', 'This host name is not allowed at a loopback address');
    }
  };
}

/** Empty for a text that is not a URL, such as the origin `null`. */
function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

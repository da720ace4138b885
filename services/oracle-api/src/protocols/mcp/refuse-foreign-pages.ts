import { ServiceError } from '@mlango/service-kit/errors';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.js';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);
const loopbackAddresses = new Set(['127.0.0.1', '::1']);

type PageDeps = Pick<Deps, 'corsOrigins' | 'allowsLoopbackPages' | 'trustProxy'>;

/**
 * A hook that refuses requests of web pages that may not call, whatever token they bring ("Security Warning" of MCP's Streamable HTTP
 * transport): an `Origin` that is not allowed, and at a loopback listener without a proxy a `Host` that is not loopback (DNS rebinding).
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
        'Requests from this origin are not allowed: CORS_ORIGIN names those that are',
      );
    }
    const isLoopbackListener = trustProxy === false && loopbackAddresses.has(socket.localAddress ?? '');
    if (isLoopbackListener && !loopbackNames.has(hostnameOf(`http://${host}`))) {
      throw new ServiceError('permission_denied', 'This host name is not allowed at a loopback address');
    }
  };
}

/** Empty for what is not a URL, as the origin `null`. */
function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

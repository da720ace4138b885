import { ServiceError } from '@mlango/service-kit/errors';
import { identifyOperator, type OperatorAccess } from '@mlango/service-kit/operator-access';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tenant } from '../tenants/tenant.js';
import type { TenantRegistry } from '../tenants/tenant-registry.js';
import { defaultTenant } from '../tenants/tenants-file.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The service that an operator asks about, or whose token is shown; null on other routes. */
    operatedTenant: Tenant | null;
  }
}

/**
 * Guards a route about one service. The token of a service opens that one and no other; that of the gateway each of them, by `?service=`.
 *
 * @param access guards what is about all of them.
 */
export function tenantOperator(services: TenantRegistry, access: OperatorAccess) {
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const { service: asked } = request.query as { readonly service?: string };
    const own = await identifyOperator(request, access, (token) => services.operatedWith(token));
    if (own !== undefined && asked !== undefined && asked !== own.id)
      throw new ServiceError('permission_denied', 'This token is not of that service');
    request.operatedTenant = own ?? services.find(asked ?? defaultTenant) ?? null;
    if (request.operatedTenant === null) {
      const known = services.all.map(({ id }) => id).join(', ');
      const problem = asked === undefined ? 'No service is the default one' : 'There is no such service';
      throw new ServiceError('invalid_argument', `${problem}: ?service= must be one of ${known}`);
    }
  };
}

/**
 * Guards a route whose body says which service it is about: the token of a service sets whose it is, and the route holds the body to it; that of
 * the gateway leaves it open.
 */
export function anyOperator(services: TenantRegistry, access: OperatorAccess) {
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const own = await identifyOperator(request, access, (token) => services.operatedWith(token));
    if (own !== undefined) request.operatedTenant = own;
  };
}

/** @throws {Error} on a route without the guard. */
export function operatedTenant({ operatedTenant: service }: FastifyRequest): Tenant {
  if (service === null) throw new Error('this route does not say which service it is about');
  return service;
}

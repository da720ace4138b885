import { ServiceError } from '@mlango/service-kit/errors';
import { identifyOperator, type OperatorAccess } from '@mlango/service-kit/operator-access';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tenant } from '../tenants/tenant.js';
import type { TenantRegistry } from '../tenants/tenant-registry.js';
import { defaultTenant } from '../tenants/tenants-file.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The tenant of the request, or of the presented token; null on other routes. */
    operatedTenant: Tenant | null;
  }
}

/**
 * Guards a route about one tenant. The token of a tenant opens that tenant only; the token of the gateway opens each, by `?service=`.
 *
 * @param access guards routes about all tenants.
 */
export function tenantOperator(tenants: TenantRegistry, access: OperatorAccess) {
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const { service: requested } = request.query as { readonly service?: string };
    const own = await identifyOperator(request, access, (token) => tenants.operatedWith(token));
    if (own !== undefined && requested !== undefined && requested !== own.id)
      throw new ServiceError('permission_denied', 'This token is for another service');
    request.operatedTenant = own ?? tenants.find(requested ?? defaultTenant) ?? null;
    if (request.operatedTenant === null) {
      const known = tenants.all.map(({ id }) => id).join(', ');
      const problem = requested === undefined ? 'No service is the default one' : 'There is no such service';
      throw new ServiceError('invalid_argument', `${problem}: ?service= must be one of ${known}`);
    }
  };
}

/**
 * Guards a route that names the tenant in its body. The token of a tenant sets `operatedTenant`, which the route
 * compares with the body; the token of the gateway does not.
 */
export function anyOperator(tenants: TenantRegistry, access: OperatorAccess) {
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const own = await identifyOperator(request, access, (token) => tenants.operatedWith(token));
    if (own !== undefined) request.operatedTenant = own;
  };
}

/** @throws {Error} on a route without the guard. */
export function operatedTenant({ operatedTenant: tenant }: FastifyRequest): Tenant {
  if (tenant === null) throw new Error('this route has no tenant guard');
  return tenant;
}

/*
 * A scope is an aggregator and the tenant that was dialled: `hubtel/clinic`. For the default tenant it is the aggregator alone. Sessions,
 * their MACs and seals, resume points and effects belong to a scope, so that one tenant's data is not found by the code of another.
 * Neither name has a slash.
 */
const defaultTenant = 'default';

/** A name within a tenant. */
export function scoped(name: string, tenant: string): string {
  return tenant === defaultTenant ? name : `${name}/${tenant}`;
}

/** The name without its tenant. */
export function unscoped(scope: string): string {
  return scope.split('/', 1)[0] ?? scope;
}

/** The tenant of a scoped name. */
export function tenantOf(scope: string): string {
  const at = scope.indexOf('/');
  return at < 0 ? defaultTenant : scope.slice(at + 1);
}

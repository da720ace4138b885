import { builtInRegistry, everythingRegistry } from '@mlango/test-services/descriptors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNearestRoute } from './nearest-route.js';
import { buildRouteTable } from './routes.js';

const { routes } = buildRouteTable(builtInRegistry(), { prefixes: { current: 'proto', legacy: ['ixo'] } });

describe('findNearestRoute', () => {
  it.each([
    ['/proto/tokn/params', '/proto/token/params'],
    ['/proto/claims/claim', '/proto/claims/claims'],
    ['/proto/entity/did:x:1/meta', '/proto/entity/{id}/metadata'],
    ['/token/params', '/proto/token/params'],
    ['/proto/claims/claims/', '/proto/claims/claims'],
    ['/prto/claims/params', '/proto/claims/params'],
    ['/ixo/tokn/params', '/proto/token/params'],
  ])('finds for %s the route %s', (path, route) => {
    expect(findNearestRoute(routes, path)).toBe(route);
  });

  it('finds nothing for a path that is like none', () => {
    expect(findNearestRoute(routes, '/wp-login.php')).toBeUndefined();
    expect(findNearestRoute([], '/proto/token/params')).toBeUndefined();
  });

  it('stays within the requested prefix', () => {
    const { routes: many } = buildRouteTable(everythingRegistry(), { prefixes: { current: 'proto', legacy: [] } });
    const both = [...routes, ...many];
    expect(findNearestRoute(both, '/everything/v1/token/parms')).toBe('/everything/v1/{leaf.label}/{int64_value}');
    expect(findNearestRoute(both, '/proto/v1/x/watch')).not.toContain('everything');
  });

  it('is quick and quiet with any path', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5000 }), (path) => {
        findNearestRoute(routes, `/${path}`);
      }),
      { numRuns: 50 },
    );
  });
});

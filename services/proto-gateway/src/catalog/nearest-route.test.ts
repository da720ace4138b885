import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInRegistry } from '../../test/test-app.js';
import { findNearestRoute } from './nearest-route.js';
import { buildRouteTable } from './route-table.js';

const { routes } = buildRouteTable(builtInRegistry(), { prefixes: { current: 'proto', legacy: ['ixo'] } });

describe('findNearestRoute', () => {
  it.each([
    ['/proto/tokn/params', '/proto/token/params'],
    ['/proto/claims/claim', '/proto/claims/claims'],
    ['/proto/entity/did:x:1/meta', '/proto/entity/{id}/metadata'],
    ['/token/params', '/proto/token/params'],
    ['/proto/claims/claims/', '/proto/claims/claims'],
  ])('finds for %s the route %s', (path, route) => {
    expect(findNearestRoute(routes, path)).toBe(route);
  });

  it('finds nothing for a path that is like none', () => {
    expect(findNearestRoute(routes, '/wp-login.php')).toBeUndefined();
    expect(findNearestRoute([], '/proto/token/params')).toBeUndefined();
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

import { builtInRegistry } from '@mlango/test-services/descriptors';
import { parseTemplate } from '@mlango/transcoder/parse-template';
import { printTemplate } from '@mlango/transcoder/template';
import { describe, expect, it } from 'vitest';
import { expectError, gatewayOnNode } from '../../test/support/gateway-on-node.js';
import { LEGACY_PATHS } from './legacy-paths.js';
import { buildRouteTable } from './routes.js';

const { get, withApp } = gatewayOnNode();
const prefixes = { current: 'proto', legacy: ['ixo'] };
const registry = builtInRegistry();
const table = buildRouteTable(registry, { prefixes, legacyPaths: LEGACY_PATHS });
const plain = buildRouteTable(registry, { prefixes });

describe('paths of earlier versions', () => {
  it('are all mounted, each for a query there is, with the names of its request fields', () => {
    const mounted = new Map(table.routes.map((route) => [printTemplate(route.template), route.rpcName]));
    for (const [rpc, templates] of Object.entries(LEGACY_PATHS)) {
      for (const template of templates) expect([template, mounted.get(template)]).toEqual([template, rpc]);
    }
  });

  it('never take a path from a current query', () => {
    for (const route of plain.routes) {
      const match = table.transcoder.match(route.method, printTemplate(route.template).replace(/[{}]/g, ''));
      expect(match).toMatchObject({ kind: 'found', route: { rpcName: route.rpcName } });
    }
  });

  it('are parsed like any template', () => {
    for (const template of Object.values(LEGACY_PATHS).flat())
      expect(parseTemplate(template)).toHaveProperty('template');
  });

  it.each([
    ['/ixo/claim?pagination.limit=2', '/proto/claims/claims?pagination.limit=2', '/proto/claims/claims'],
    ['/ixo/token/config', '/proto/token/params', '/proto/token/params'],
    ['/ixo/project/did:ixo:entity:e0001', '/proto/entity/did:ixo:entity:e0001', '/proto/entity/did:ixo:entity:e0001'],
    ['/project/did:ixo:entity:e0001', '/proto/entity/did:ixo:entity:e0001', '/proto/entity/did:ixo:entity:e0001'],
    ['/did/did:ixo:entity:e0001', '/proto/did/dids/did:ixo:entity:e0001', '/proto/did/dids/did:ixo:entity:e0001'],
    ['/ixo/claim/a%2Fb%3Ec', '/proto/claims/claim/a%2Fb%3Ec', '/proto/claims/claim/a%2Fb%3Ec'],
  ])('%s is answered as %s, which it names', (legacy, current, successor) =>
    withApp({ table }, async (app) => {
      const reply = await app.inject({ url: legacy, headers: { 'x-cosmos-block-height': '5' } });
      expect(reply.headers['deprecation']).toBe('@1767225600');
      expect(reply.headers['link']).toContain(`<${successor}>; rel="successor-version"`);
      const now = await app.inject({ url: current, headers: { 'x-cosmos-block-height': '5' } });
      expect([reply.statusCode, reply.json()]).toEqual([now.statusCode, now.json()]);
      expect(now.headers).not.toHaveProperty('deprecation');
    }),
  );

  it('name today’s path up to the first unknown variable', () =>
    withApp({ table }, async (app) => {
      const reply = await app.inject('/ixo/liquidstake/v1beta1/states?pool_id=one');
      expect(reply.headers['link']).toBe('</proto/liquidstake/v1beta1/pools>; rel="successor-version"');
    }));

  it('are deprecated in the description and not in the index', () =>
    withApp({ table }, async (app) => {
      const { paths } = (await app.inject('/openapi.json')).json();
      expect(paths['/ixo/claim'].get.deprecated).toBe(true);
      expect((await app.inject('/')).body).not.toContain('/ixo/claim"');
    }));

  it('are answered in a batch too', () =>
    withApp({ table }, async (app) => {
      const payload = { paths: ['/ixo/token/config'] };
      expect((await app.inject({ method: 'POST', url: '/proto/batch', payload })).json().replies[0].status).toBe(200);
    }));

  it('are disabled by default', async () => {
    expectError(await get('/ixo/claim'), 404, 5);
  });
});

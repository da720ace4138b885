import { builtInRegistry, everythingRegistry } from '@mlango/test-services/descriptors';
import { DescriptorImageError, readDescriptorImage } from '@mlango/transcoder/descriptor-image';
import { type BoundMethod, type HttpBinding, readHttpRules } from '@mlango/transcoder/http-rules';
import { printTemplate } from '@mlango/transcoder/template';
import { describe, expect, it } from 'vitest';
import { buildRouteTable, mountRoutes, RouteTableError } from './routes.js';

const prefixes = { current: 'proto', legacy: ['ixo'] };
const spell = (registry: ReturnType<typeof builtInRegistry>) =>
  buildRouteTable(registry, { prefixes }).routes.map((route) => `${route.method} ${printTemplate(route.template)}`);

describe('buildRouteTable', () => {
  it('mounts every rule of an unknown descriptor set at its path', () => {
    const routes = spell(everythingRegistry());
    expect(routes).toEqual(
      expect.arrayContaining([
        'GET /everything/v1/{string_value}',
        'GET /everything/v1/{leaf.label}/{int64_value}',
        'GET /everything/v1/files/{string_value=dir/**}',
        'GET /everything/v1/{string_value}:check',
        'POST /everything/v1/{string_value}',
        'PUT /everything/v1/{string_value}/leaf',
        'GET /everything/v1/{string_value}/watch',
      ]),
    );
    expect(routes.join(' ')).not.toContain('Hidden');
  });

  it('puts the configured prefix in place of the published one and keeps the legacy ones', () => {
    const routes = spell(builtInRegistry());
    for (const path of ['/proto/entity/{id}', '/ixo/entity/{id}', '/proto/claims/claims', '/proto/token/params']) {
      expect(routes).toContain(`GET ${path}`);
    }
    expect(spell(builtInRegistry())).toContain('GET /cosmos/base/node/v1beta1/status');
  });
});

describe('mountRoutes', () => {
  const registry = everythingRegistry();
  const [first, second] = readHttpRules(registry);
  const bind = (method: BoundMethod | undefined, binding: Partial<HttpBinding>): BoundMethod => {
    if (method === undefined) throw new Error('the fixture has changed');
    return { rpc: method.rpc, bindings: [{ method: 'GET', template: '/x', body: '', responseBody: '', ...binding }] };
  };
  const mount =
    (...methods: BoundMethod[]) =>
    () =>
      mountRoutes(registry, methods, { prefixes });

  it.each([
    [{ template: '/x/' }, 'a segment is'],
    [{ template: '/{nope}' }, 'has no field nope'],
    [{ template: '/{leaf}' }, 'leaf cannot be a path variable'],
    [{ template: '/{leaf.nope}' }, 'has no field leaf.nope'],
    [{ body: 'nope' }, 'has no field nope for the body'],
    [{ responseBody: 'nope' }, 'has no field nope for the reply'],
  ])('refuses %j with a reason', (binding, reason) => {
    expect(mount(bind(first, binding))).toThrow(RouteTableError);
    expect(mount(bind(first, binding))).toThrow(reason);
  });

  describe('two rpcs with one path, with any variable names', () => {
    const both = [bind(first, { template: '/x/{string_value}' }), bind(second, { template: '/x/{renamed}' })];
    const rpcAt = (table: ReturnType<typeof mountRoutes>, path: string) => {
      const match = table.transcoder.match('GET', path);
      return match.kind === 'found' ? match.route.rpcName : match.kind;
    };

    it('gives it to the first, without a conflict within one published service', () => {
      const table = mountRoutes(registry, both, { prefixes });
      expect(rpcAt(table, '/x/1')).toBe('everything.v1.Service/Get');
      expect(table.routes).toHaveLength(1);
      expect(table.conflicts).toEqual([]);
      expect(buildRouteTable(builtInRegistry(), { prefixes }).conflicts).toEqual([]);
    });

    it('names both where the operator has written one of the rules', () => {
      const config = { http: { rules: [{ selector: 'everything.v1.Service.Replace', get: '/x/{renamed}' }] } };
      const httpRules = { config, describe: ({ problem }: { problem: string }) => problem };
      const table = mountRoutes(registry, [bind(first, { template: '/x/{string_value}' })], { prefixes, httpRules });
      expect(table.conflicts).toEqual([
        'everything.v1.Service/Replace is not served at GET /x/{renamed}, which everything.v1.Service/Get has',
      ]);
    });

    it('names both where they are of two services', () => {
      const [auth, bank] = ['cosmos.auth.v1beta1.Query', 'cosmos.bank.v1beta1.Query'].map((service) =>
        readHttpRules(builtInRegistry()).find(({ rpc }) => rpc.parent.typeName === service),
      );
      const table = mountRoutes(builtInRegistry(), [bind(auth, {}), bind(bank, {})], { prefixes });
      expect(table.conflicts).toEqual([
        expect.stringMatching(/^cosmos\.bank\.\S+ is not served at GET \/x, which cosmos\.auth\.\S+ has$/),
      ]);
    });

    it('gives it to the second if the first is disabled or missing', () => {
      for (const options of [
        { disabled: ['everything.v1.Service/Get'] },
        { missing: new Set(['everything.v1.Service/Get']) },
      ]) {
        const table = mountRoutes(registry, both, { prefixes, ...options });
        expect(rpcAt(table, '/x/1')).toBe('everything.v1.Service/Replace');
        expect(table.conflicts).toEqual([]);
      }
    });

    it('marks both as disabled if they are', () => {
      const table = mountRoutes(registry, both, { prefixes, disabled: ['everything.v1.Service'] });
      expect(table.routes).toMatchObject([{ rpcName: 'everything.v1.Service/Get', isDisabled: true }]);
    });
  });

  it('refuses a disabled method that does not exist: a typing mistake would leave it open', () => {
    expect(() =>
      mountRoutes(registry, [bind(first, {})], { prefixes, disabled: ['everything.v1.Service/Gett'] }),
    ).toThrow('Gett');
  });
});

describe('readDescriptorImage', () => {
  it.each([
    ['nothing', new Uint8Array()],
    ['another kind of file', new TextEncoder().encode('syntax = "proto3";')],
  ])('refuses %s in words for the operator', (_name, bytes) => {
    expect(() => readDescriptorImage(bytes)).toThrow(DescriptorImageError);
  });
});

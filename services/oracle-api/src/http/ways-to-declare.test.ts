import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headersOf, testApp } from '../../test/app.fixture.js';
import { testPlugin } from '../plugins/api/plugin.fixture.js';
import type { PluginRoutes, PublicRoute } from '../plugins/api/plugin.js';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const;
type Method = (typeof methods)[number];

interface Way {
  readonly declare: (app: HttpApp, path: string) => void | Promise<void>;
  /** Route pattern of a declared path. */
  readonly pattern?: (path: string) => string;
  /** Methods of the route; all by default. */
  readonly has?: readonly Method[];
  /** Paths that match the route. */
  readonly urls?: (path: string) => readonly string[];
}

/** Replies with the caller, so that a test sees that the handler ran and whether the caller was authenticated. */
const reached = async ({ caller }: { caller: unknown }) =>
  caller === null ? 'reached by nobody' : 'reached by a caller';
/** Fastify adds HEAD to each GET. */
const withHead = (...declared: readonly Method[]) =>
  declared.includes('GET') ? [...declared, 'HEAD' as const] : declared;
const shorthand = (method: 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'trace' | 'all'): Way => ({
  declare: (app, path) => void app[method](path, reached),
  ...(method === 'all' ? {} : { has: withHead(method.toUpperCase() as Method) }),
});
const listed = (...method: Method[]): Way => ({
  declare: (app, url) => void app.route({ method, url, handler: reached }),
  has: withHead(...method),
});
const below =
  (path: string): ((base: string) => string) =>
  (base) =>
    `${base}${path}`;

/** Every form in which Fastify accepts a route. */
const ways: Readonly<Record<string, Way>> = {
  'app.get': shorthand('get'),
  'app.head': shorthand('head'),
  'app.post': shorthand('post'),
  'app.put': shorthand('put'),
  'app.patch': shorthand('patch'),
  'app.delete': shorthand('delete'),
  'app.trace': shorthand('trace'),
  'app.all': shorthand('all'),
  'one method': listed('GET'),
  'a method in lower case': {
    declare: (app, url) => void app.route({ method: 'get' as 'GET', url, handler: reached }),
    has: withHead('GET'),
  },
  'an array of methods': listed('GET', 'POST', 'DELETE'),
  'an array in another order': listed('DELETE', 'POST', 'GET'),
  'an array without GET': listed('POST', 'PUT'),
  'path in the place of url': {
    declare: (app, path) => void app.route({ method: ['GET', 'POST'], path, handler: reached } as never),
    has: withHead('GET', 'POST'),
  },
  'one after another': {
    declare: (app, path) => {
      app.get(path, reached);
      app.delete(path, reached);
      app.post(path, reached);
    },
    has: withHead('GET', 'DELETE', 'POST'),
  },
  'GET without its HEAD': {
    declare: (app, url) => void app.route({ method: 'GET', url, exposeHeadRoute: false, handler: reached }),
    has: ['GET'],
  },
  'GET with a HEAD of its own': {
    declare: (app, path) => {
      app.head(path, reached);
      app.get(path, reached);
    },
    has: ['GET', 'HEAD'],
  },
  'nested plugins with prefixes': {
    declare: async (app, path) => {
      await app.register(
        async (outer) => {
          await outer.register(async (inner) => void inner.all('/c', reached), { prefix: '/b' });
        },
        { prefix: path },
      );
    },
    pattern: below('/b/c'),
  },
  'a plugin without a scope of its own': {
    declare: async (app, path) => {
      const plugin = async (scope: HttpApp) => void scope.all(path, reached);
      await app.register(Object.assign(plugin, { [Symbol.for('skip-override')]: true }));
    },
  },
  'the root of a prefix': {
    declare: async (app, prefix) => {
      await app.register(async (scope) => void scope.all('/', reached), { prefix });
    },
    urls: (path) => [path, `${path}/`],
  },
  'the root of a prefix, without a slash': {
    declare: async (app, prefix) => {
      const handler = { method: ['GET', 'POST'] as Method[], url: '/', handler: reached };
      await app.register(async (scope) => void scope.route({ ...handler, prefixTrailingSlash: 'no-slash' }), {
        prefix,
      });
    },
    has: withHead('GET', 'POST'),
  },
  'a slash at the end': { declare: (app, path) => void app.all(`${path}/`, reached), pattern: below('/') },
  'a parameter': { declare: (app, path) => void app.all(`${path}/:id`, reached), pattern: below('/:id') },
  'a parameter that may be missing': {
    declare: (app, path) => void app.all(`${path}/:id?`, reached),
    pattern: below('/:id?'),
    urls: (path) => [path, `${path}/7`],
  },
  'a parameter with an expression': {
    declare: (app, path) => void app.all(`${path}/:id(^\\d+$)`, reached),
    pattern: below('/:id(^\\d+$)'),
  },
  'two parameters in one segment': {
    declare: (app, path) => void app.all(`${path}/:a-:b`, reached),
    pattern: below('/:a-:b'),
    urls: (path) => [`${path}/1-2`],
  },
  'a wildcard': { declare: (app, path) => void app.all(`${path}/*`, reached), pattern: below('/*') },
  constraints: {
    declare: (app, url) => {
      for (const host of ['localhost:80', 'other.example']) {
        app.route({ method: ['GET', 'PUT'], url, constraints: { host }, handler: reached });
      }
    },
    has: withHead('GET', 'PUT'),
  },
  versions: {
    declare: (app, url) => {
      app.route({ method: ['GET', 'PUT'], url, constraints: { version: '1.0.0' }, handler: reached });
      app.route({ method: ['GET', 'PUT'], url, handler: reached });
    },
    has: withHead('GET', 'PUT'),
  },
};

/** A route that every plugin of this test has. */
const otherPath = '/other';

/** Which methods of a route are public, and whether a given one is. */
const exclusions: Readonly<
  Record<string, readonly [(path: string, base: string) => PublicRoute[], (method: Method) => boolean]>
> = {
  nothing: [() => [], () => false],
  'GET of it': [(path) => [{ method: 'GET', path }], (method) => method === 'GET' || method === 'HEAD'],
  'POST of it, in lower case': [(path) => [{ method: 'post', path }], (method) => method === 'POST'],
  'HEAD of it': [(path) => [{ method: 'HEAD', path }], (method) => method === 'HEAD'],
  'DELETE and PUT of it': [
    (path) => ['DELETE', 'PUT'].map((method) => ({ method, path })),
    (method) => method === 'DELETE' || method === 'PUT',
  ],
  'all of it': [(path) => [path], () => true],
  'another path': [(_, base) => [{ method: 'GET', path: `${base}${otherPath}` }], () => false],
};

const cases = Object.entries(ways).flatMap(([way, { declare, pattern = below(''), has = methods, urls }], w) =>
  Object.entries(exclusions).flatMap(([excluded, [routesOf, isOpen]], e) => {
    const path = `/w${w}-e${e}`;
    const declared = pattern(path);
    const seen = urls?.(path) ?? [declared.replace(/:id.*|\*/, '7')];
    // A public route that does not exist is refused at start.
    const named = routesOf(declared, path);
    const open = named.filter(
      (route) => typeof route === 'string' || has.some((one) => one === route.method?.toUpperCase()),
    );
    if (open.length === 0 && named.length > 0) return [];
    return { name: `w${w}-e${e}`, way, excluded, declare, path, open, isOpen, urls: seen };
  }),
);

describe('a route of a plugin', () => {
  let app: HttpApp;
  let headers: Record<string, string>;
  beforeAll(async () => {
    const plugins = cases.map(({ name, path, declare, open }) => {
      const routes: PluginRoutes = async (scope) => {
        scope.get(`${path}${otherPath}`, reached);
        await declare(scope, path);
      };
      return testPlugin(name, { getRoutes: () => [routes], getAuthExcludedRoutes: () => open });
    });
    ({ app } = await testApp({ plugins, rateLimitMax: 1_000_000 }));
    headers = await headersOf('a');
  }, 60_000);
  afterAll(() => app.close());

  it.each(cases)('declared by $way, with $excluded public', async ({ urls, isOpen }) => {
    const asked = urls.flatMap((url) => methods.map((method) => ({ method, url })));
    const seen = await Promise.all(asked.map(async (one) => ({ ...one, ...(await ask(one)) })));
    const there = seen.filter(({ known }) => known.statusCode !== 404);
    expect(there.length).toBeGreaterThan(0);
    for (const { method, url, known, unknown } of there) {
      expect([method, url, unknown.statusCode]).toEqual([method, url, isOpen(method) ? 200 : 401]);
      // `inject` returns the body of some HEAD requests, which a server does not send.
      if (method === 'HEAD') continue;
      expect(known.body).toBe(isOpen(method) ? 'reached by nobody' : 'reached by a caller');
    }
  });

  async function ask({ method, url }: { method: Method; url: string }) {
    const request = { method: method as 'GET', url, headers: { host: 'localhost:80' } };
    const known = await app.inject({ ...request, headers: { ...headers, ...request.headers } });
    return { known, unknown: await app.inject(request) };
  }
});

describe('other replies of a plugin', () => {
  it('require authentication: its own not-found reply', async () => {
    const routes: PluginRoutes = async (app) => {
      await app.register(async (scope) => void scope.setNotFoundHandler(reached as never), { prefix: '/lost' });
    };
    const { app } = await testApp({ plugins: [testPlugin('lost', { getRoutes: () => [routes] })] });
    expect((await app.inject('/lost/x')).statusCode).toBe(401);
    expect((await app.inject({ url: '/lost/x', headers: await headersOf('a') })).body).toBe('reached by a caller');
    await app.close();
  });
});

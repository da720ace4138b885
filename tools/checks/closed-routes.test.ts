import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedServices } from './embedded-services.mjs';
import { repositoryRoot } from './project-files.mjs';

interface Route {
  readonly service: string;
  readonly path: string;
  readonly isForOperators: boolean;
}

const nginx = readFileSync(join(repositoryRoot, 'deploy/proxy/nginx.conf'), 'utf8');
const caddy = readFileSync(join(repositoryRoot, 'deploy/proxy/Caddyfile'), 'utf8');
const sites = { 'ussd-gateway': 'ussd', 'oracle-api': 'oracle', 'proto-gateway': 'chain' } as const;
const siteOf = (service: string) => sites[service as keyof typeof sites];

/** The one closed pattern that follows the head of a site. */
function patternAfter(text: string, head: string, pattern: RegExp): RegExp {
  const found = pattern.exec(text.slice(text.indexOf(head)))?.[1];
  if (!text.includes(head) || found === undefined) throw new Error(`no closed paths after "${head}"`);
  return new RegExp(found, 'i');
}

const proxies = {
  'nginx.conf': (service: string) =>
    patternAfter(nginx, `server_name ${siteOf(service)}.example.org`, /location ~\* (\S+) \{/),
  Caddyfile: (service: string) =>
    patternAfter(caddy, `{$${siteOf(service).toUpperCase()}_SITE`, /@closed path_regexp \(\?i\)(\S+)/),
};

let folder: string;
let routes: Route[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'closed-routes-'));
  const { services, close } = await embeddedServices(folder);
  const found = services.map(async ({ name, app }) => {
    const { paths } = (await app.inject('/docs/json')).json<{
      paths: Record<string, Record<string, { tags?: string[]; security?: object[] }>>;
    }>();
    return Object.entries(paths).map(([path, methods]) => ({
      service: name,
      path: path.replaceAll(/\{\w+\}/g, 'x-1'),
      isForOperators: Object.values(methods).some(
        ({ tags = [], security = [] }) => tags.includes('operators') || security.some((way) => 'operator' in way),
      ),
    }));
  });
  routes = (await Promise.all(found)).flat();
  await close();
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(Object.keys(proxies) as (keyof typeof proxies)[])('%s', (proxy) => {
  const isClosed = ({ service, path }: Route) => proxies[proxy](service).test(path);
  const printed = (some: readonly Route[]) => some.map(({ service, path }) => `${service} ${path}`);

  it('closes every operators’ route of the three services', () => {
    const ofOperators = routes.filter(({ isForOperators }) => isForOperators);
    expect(printed(ofOperators)).toEqual(
      expect.arrayContaining([
        'ussd-gateway /api/ussd/pushes',
        'ussd-gateway /api/ussd/customers/x-1/pin-code',
        'oracle-api /feedback',
        'oracle-api /credits/top-ups',
        'oracle-api /calls/x-1/agent',
      ]),
    );
    expect(printed(ofOperators.filter((route) => !isClosed(route)))).toEqual([]);
  });

  it('closes no other described route except readiness', () => {
    const others = routes.filter(({ isForOperators, path }) => !isForOperators && path !== '/health/ready');
    expect(printed(others.filter(isClosed))).toEqual([]);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig as readPlayground } from '../packages/playground/src/config.js';
import { readConfig as readOracle } from '../services/oracle-api/src/config.js';
import { readConfig as readProto } from '../services/proto-gateway/src/config.js';
import { readConfig as readUssd } from '../services/ussd-gateway/src/config.js';
import { serviceTable } from '../tools/bootstrap/services/table.mjs';
import { readConfig as readMockNode } from './mock-node/src/config.js';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const compose = read('docker-compose.yml');
const pooled = read('docker-compose.pgbouncer.yml');
const example = new Map(
  [...read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

/** `${NAME:-default}`, or `${NAME:-…}` with a variable in its default; `$$` is a dollar sign for the container. */
const uses = [
  ...`${compose}${pooled}${read('images/docker-compose.yml')}`.matchAll(
    /(?<!\$)\$\{([A-Z_]+)(?::-((?:[^{}]|\$\{[^}]*\})*))?\}/g,
  ),
].flatMap(([, name = '', fallback = '']) => [
  { name, fallback },
  ...[...fallback.matchAll(/\$\{([A-Z_]+):-([^}]*)\}/g)].map(([, inner = '', value = '']) => ({
    name: inner,
    fallback: value,
  })),
]);
/** `API_KEYS` switches a feature on and is no secret. */
const secretName = /^(?!API_KEYS$).*(?:PASSWORD|TOKEN|KEY|SEED|SECRET)|^(DATABASE|REDIS)_URL$/;

/** The part of the compose file below a line that ends in `:`, by the name in that line. */
function partsOf(text: string, indent: number): Map<string, string> {
  const blank = ' '.repeat(indent);
  const parts = text.matchAll(new RegExp(`^${blank}([a-z-]+):(.*(?:\\n(?:${blank} .*|${blank}#.*|(?=\\n)))*)`, 'gm'));
  return new Map([...parts].map(([, name = '', part = '']) => [name, part]));
}
const services = partsOf(partsOf(compose, 0).get('services') ?? '', 2);
const variablesOf = (service: string) =>
  [...(partsOf(services.get(service) ?? '', 4).get('environment') ?? '').matchAll(/(?:^ +|\{ )([A-Z][A-Z_]+):/gm)].map(
    ([, name = '']) => name,
  );
const secretsOf = (text: string) => /^ {4}secrets: \[(.*)\]$/m.exec(text)?.[1] ?? '';

/** The variables that a program reads. */
function asked(readConfig: (source: Readonly<Record<string, string | undefined>>) => unknown): Set<string> {
  const names = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void names.add(String(name)) }));
  return names;
}

describe('.env.example', () => {
  it('names every variable of the compose files, and no other', () => {
    expect(uses.length).toBeGreaterThan(30);
    expect([...example.keys()].toSorted()).toEqual([...new Set(uses.map(({ name }) => name))].toSorted());
  });

  it('has no secret', () => {
    for (const name of example.keys()) expect(name).not.toMatch(secretName);
  });

  it('has the same defaults as the compose files', () => {
    for (const { name, fallback } of uses) {
      // A default that refers to another variable is not set.
      expect(`${name}=${fallback.includes('${') ? '' : fallback}`).toBe(`${name}=${example.get(name)}`);
    }
  });
});

describe('docker-compose.yml', () => {
  it.each([
    ['ussd-gateway', readUssd],
    ['oracle-api', readOracle],
    ['proto-gateway', readProto],
    ['playground', readPlayground],
    ['mock-node', readMockNode],
  ])('gives %s no variable that it does not read', (service, readConfig) => {
    const names = variablesOf(service);
    expect(names.length).toBeGreaterThan(1);
    const known = asked(readConfig);
    for (const name of names) expect(known, name).toContain(name);
  });

  it.each(serviceTable('.').map(({ name, env }) => [name, Object.keys(env(() => 'host:1'))] as const))(
    'configures %s as npm start does',
    (service, told) => {
      expect(told.length).toBeGreaterThan(0);
      expect(variablesOf(service)).toEqual(expect.arrayContaining(told));
    },
  );

  it('gives the USSD gateway the addresses of every aggregator', () => {
    const wanted = [...asked(readUssd)].filter((name) => /^AGGREGATOR_[A-Z]+_CIDRS$/.test(name));
    expect(wanted.length).toBeGreaterThan(5);
    expect(variablesOf('ussd-gateway')).toEqual(expect.arrayContaining([...wanted, 'RATE_LIMIT_TRUSTED_CIDRS']));
  });

  it('publishes only the three services, the playground, the proxy and the dashboards, on loopback by default', () => {
    const published = [
      ...compose.matchAll(/^ +ports: \['\$\{BIND_ADDRESS:-127\.0\.0\.1\}:\$\{([A-Z]+)_PORT:-\d+\}:\d+'\]$/gm),
    ];
    expect(published.map(([, door]) => door)).toEqual(['USSD', 'ORACLE', 'PROTO', 'PLAYGROUND', 'PROXY', 'GRAFANA']);
    expect(compose.match(/ports:/g)).toHaveLength(6);
  });

  it.each(['playground', 'proxy'])('starts no %s by default', (name) => {
    expect(services.get(name)).toContain(`\n    profiles: [${name}]\n`);
    expect(example.get('HANDSET')).toBe('false');
  });

  it.each(['prometheus', 'grafana'])('starts no %s by default, and pins its version', (name) => {
    expect(services.get(name)).toContain('\n    profiles: [observability]\n');
    expect(example.get(`${name.toUpperCase()}_IMAGE`)).toMatch(/^\S+:v?\d+\.\d+\.\d+$/);
  });

  it('gives the scraper existing files, and the services by their ports', () => {
    for (const name of ['prometheus', 'grafana'])
      for (const [, path = ''] of (services.get(name) ?? '').matchAll(/- \.\/(observability\/\S+?):\/etc/g))
        expect(existsSync(join(import.meta.dirname, path)), path).toBe(true);
    const scraped = [...read('observability/prometheus.yml').matchAll(/names: \[([a-z-]+)\], type: A, port: (\d+)/g)];
    expect(scraped).toHaveLength(3);
    for (const [, name = '', port] of scraped) expect(services.get(name)).toMatch(new RegExp(`ports: .*:${port}'\\]`));
  });

  it('has no secret in an environment, only the path of its file', () => {
    const named = [...services].flatMap(([service]) => variablesOf(service)).filter((name) => secretName.test(name));
    expect(named.filter((name) => !name.endsWith('_FILE'))).toEqual([]);
    expect(named.length).toBeGreaterThan(3);
  });

  it('gives a container the files of the secrets that it reads, and no others', () => {
    for (const name of ['ussd-gateway', 'oracle-api', 'proto-gateway']) {
      const service = services.get(name) ?? '';
      const told = [...service.matchAll(/_FILE: \/run\/secrets\/([a-z-]+)$/gm)].map(([, secret]) => secret);
      expect(told.length, name).toBeGreaterThan(0);
      expect(new Set(secretsOf(service).split(', ')), name).toEqual(new Set(told));
    }
  });

  it('has a maker for every secret', () => {
    const made = [...read('make-secrets.mjs').matchAll(/^ +\[?'([a-z-]+)',/gm)].map(([, name]) => name);
    const secrets = [compose, pooled].flatMap((file) => [
      ...(partsOf(file, 0).get('secrets') ?? '').matchAll(/^ {2}([a-z-]+): \{ file: secrets\/(.*) \}$/gm),
    ]);
    expect(secrets.length).toBeGreaterThan(10);
    expect(new Set(secrets.map(([, name]) => name))).toEqual(new Set(made));
    for (const [, name, file] of secrets) expect(file).toBe(name);
  });
});

describe('docker-compose.pgbouncer.yml', () => {
  const added = partsOf(partsOf(pooled, 0).get('services') ?? '', 2);

  it.each([
    ['ussd-gateway', 'ussd'],
    ['oracle-api', 'oracle'],
  ])('gives %s the addresses of the pooler, and of the server for migrations', (service, role) => {
    const text = added.get(service) ?? '';
    expect(text).toContain(`DATABASE_URL_FILE: /run/secrets/${role}-pooler-url\n`);
    expect(text).toContain(`DATABASE_DIRECT_URL_FILE: /run/secrets/${role}-database-url\n`);
    expect(secretsOf(text)).toBe(`${role}-pooler-url`);
    expect(secretsOf(services.get(service) ?? '')).toContain(`${role}-database-url`);
  });

  it('has the port and the paths of the configuration of PgBouncer', () => {
    const settings = read('pgbouncer/pgbouncer.ini');
    const pgbouncer = added.get('pgbouncer') ?? '';
    expect(settings).toContain('\n* = host=postgres port=5432\n');
    const port = /^listen_port = (\d+)$/m.exec(settings)?.[1];
    expect(pgbouncer).toContain(`/dev/tcp/127.0.0.1/${port}'`);
    expect(read('make-secrets.mjs').match(/'pgbouncer:\d+'/g)).toEqual([`'pgbouncer:${port}'`, `'pgbouncer:${port}'`]);
    expect(settings).toContain(`\nauth_file = /run/secrets/${secretsOf(pgbouncer)}\n`);
    expect(pgbouncer).toContain("'./pgbouncer/pgbouncer.ini:/etc/pgbouncer/pgbouncer.ini:ro'");
  });
});

import { readFileSync } from 'node:fs';
import { EnvError } from '@mlango/service-kit/env';
import { selfSigned } from '@mlango/test-services/self-signed';
import { describe, expect, it } from 'vitest';
import { aggregatorIds } from '../src/aggregators/shipped.fixture.js';
import { type Config, readConfig } from '../src/config.js';

interface Variable {
  /** Value if it is not set. */
  readonly unset: unknown;
  /** An accepted value, and its parsed form. */
  readonly taken: readonly [string, unknown];
  /** Values that prevent the start. */
  readonly refused?: readonly string[];
  /** Variables required together with it. */
  readonly requires?: Readonly<Record<string, string>>;
}

const privateRanges = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];
const number = (unset: number | undefined, least: number, most: number): Variable => ({
  unset,
  taken: [String(most), most],
  refused: [String(least - 1), String(most + 1), '1.5', 'many'],
});
const flag = (unset: boolean | undefined): Variable => ({ unset, taken: ['yes', true], refused: ['maybe'] });
const ranges = (unset: readonly string[]): Variable => ({
  unset,
  taken: ['192.0.2.1, 2001:db8::/32', ['192.0.2.1', '2001:db8::/32']],
  refused: ['192.0.2.0/33', 'localhost'],
});
const address = (unset: unknown, taken: string, refused: string): Variable => ({
  unset,
  taken: [taken, taken],
  refused: [refused, 'nowhere'],
});
const secret: Variable = { unset: undefined, taken: ['s'.repeat(16), 's'.repeat(16)], refused: ['s'.repeat(15)] };
const key = 'ab'.repeat(32);
const authority = selfSigned('kv').cert;
const webhookSecret = `whsec_${'ab12'.repeat(8)}`;

/** Every variable of this service. */
const variables: Readonly<Record<string, Variable>> = {
  NODE_ENV: { unset: 'development', taken: ['test', 'test'], refused: ['staging'] },
  HOST: { unset: '127.0.0.1', taken: ['0.0.0.0', '0.0.0.0'] },
  PORT: number(3000, 0, 65_535),
  LOG_LEVEL: { unset: 'info', taken: ['debug', 'debug'], refused: ['loud'] },
  APP_NAME: { unset: 'Mlango', taken: ['Soko', 'Soko'], refused: ['x'.repeat(41), 'a\nb'] },
  DATA_DIR: { unset: '.data/ussd-gateway', taken: ['elsewhere', 'elsewhere'] },
  DATABASE_URL: address(undefined, 'postgres://u:p@db/ussd', 'mysql://db'),
  DATABASE_DIRECT_URL: {
    ...address(undefined, 'postgres://u:p@server/ussd', 'mysql://server'),
    requires: { DATABASE_URL: 'postgres://u:p@pooler/ussd' },
  },
  DATABASE_READ_URL: {
    ...address(undefined, 'postgres://u:p@replica/ussd', 'mysql://replica'),
    requires: { DATABASE_URL: 'postgres://u:p@db/ussd' },
  },
  DATABASE_READ_MAX_LAG_SECONDS: {
    ...number(undefined, 1, 86_400),
    requires: { DATABASE_URL: 'postgres://u:p@db/ussd', DATABASE_READ_URL: 'postgres://u:p@replica/ussd' },
  },
  DATABASE_CA: {
    unset: undefined,
    taken: [authority, authority],
    refused: ['no certificate'],
    requires: { DATABASE_URL: 'postgres://u:p@db/ussd?sslmode=verify-full' },
  },
  DATABASE_POOL_MAX: number(10, 1, 1000),
  REDIS_URL: address(undefined, 'redis+cluster://kv-1:6380,kv-2', 'redis://kv-1,kv-2'),
  REDIS_CA: {
    unset: undefined,
    taken: [authority, authority],
    refused: ['no certificate'],
    requires: { REDIS_URL: 'rediss+sentinel://kv/main' },
  },
  ALLOW_EMBEDDED: flag(false),
  PIN_ENCRYPTION_KEY: { unset: undefined, taken: [key, key], refused: ['short', '0'.repeat(64)] },
  PIN_ENCRYPTION_KEYS_OLD: {
    unset: [],
    taken: [`${key},${'cd'.repeat(32)}`, [key, 'cd'.repeat(32)]],
    refused: ['short'],
  },
  FLOWS_DIR: { unset: undefined, taken: ['/etc', '/etc'] },
  FLOWS_RELOAD_SECONDS: number(2, 0, 3600),
  SESSION_TTL_SECONDS: number(180, 1, 3600),
  RESUME_WINDOW_SECONDS: number(300, 0, 3600),
  HOP_DEADLINE_MS: number(5000, 100, 30_000),
  HOP_WINDOW_SECONDS: number(60, 5, 600),
  HOP_WINDOW_FLOOR: number(20, 1, 1_000_000),
  LOCKOUT_SECONDS: number(900, 1, 86_400),
  ACCOUNTS_PER_PHONE_PER_DAY: number(3, 1, 100_000),
  ONE_TIME_PIN_MINUTES: number(30, 1, 1440),
  DUPLICATE_WINDOW_MS: { ...number(0, 0, 10_000), unset: undefined },
  AGGREGATORS: {
    unset: undefined,
    taken: ['hubtel, canonical', ['hubtel', 'canonical']],
    refused: ['hubtel,vodafone'],
  },
  AGGREGATOR_CANONICAL_OPEN: flag(false),
  AGGREGATOR_HUBTEL_SERVICE_IDS: {
    unset: new Map(),
    taken: [`${'AB'.repeat(16)}=*713#`, new Map([['ab'.repeat(16), '*713#']])],
    refused: ['ab=*713#', `${'ab'.repeat(16)}=713`, 'ab'.repeat(16)],
  },
  SERVICE_CODES: { unset: [], taken: ['*384#, *713*2#', ['*384#', '*713*2#']], refused: ['384', '*384'] },
  USSD_TEXT_MODE: { unset: 'auto', taken: ['latest', 'latest'], refused: ['both'] },
  SERVICE_CODE_LEVELS: number(2, 2, 8),
  RATE_LIMIT_MAX: number(100, 1, 1_000_000_000),
  RATE_LIMIT_TRUSTED_CIDRS: ranges([]),
  RATE_LIMIT_PER_PHONE: number(60, 1, 100_000),
  TRUST_PROXY_ENABLED: flag(false),
  TRUST_PROXY_CIDRS: ranges(privateRanges),
  WEBHOOKS: {
    unset: {},
    taken: [
      `money: { url: "https://pay.example/ussd", secret: ${webhookSecret} }`,
      {
        money: {
          url: 'https://pay.example/ussd',
          secret: webhookSecret,
          private: false,
          phone: 'none',
          timeoutMs: 10_000,
          askAgainSeconds: 5,
          retryForSeconds: 86_000,
        },
      },
    ],
    refused: [
      'money',
      'money: { url: "https://pay.example/ussd" }',
      'money: { url: "https://pay.example/ussd", secret: whsec_short }',
      `money: { url: "ftp://pay.example", secret: ${webhookSecret} }`,
      `money: { url: "http://pay.example", secret: ${webhookSecret} }`,
      `money: { url: "https://10.0.0.1", secret: ${webhookSecret} }`,
      `money: { url: "https://user@pay.example", secret: ${webhookSecret} }`,
      `money: { url: "https://pay.example", statusUrl: "https://pay.example", secret: ${webhookSecret} }`,
      `money: { url: "https://pay.example", secret: ${webhookSecret}, retries: 3 }`,
      `money: { url: "https://pay.example", secret: ${webhookSecret}, pushes: true }`,
    ],
  },
  MESSAGES: {
    unset: undefined,
    taken: [
      'provider: africastalking\nusername: shop\napiKey: an api key of theirs',
      {
        provider: 'africastalking',
        username: 'shop',
        apiKey: 'an api key of theirs',
        url: 'https://api.africastalking.com/version1/messaging',
        timeoutMs: 10_000,
        private: false,
        perPhonePerDay: 20,
        perDay: 10_000,
        retryForSeconds: 21_600,
      },
    ],
    refused: [
      'log',
      'provider: pigeon',
      'provider: africastalking\nusername: shop',
      'provider: webhook\nwebhook: none',
      'provider: infobip\nurl: http://x.api.infobip.com\nfrom: Shop\napiKey: an api key of theirs',
      'provider: infobip\nurl: https://10.0.0.1\nfrom: Shop\napiKey: an api key of theirs',
      'provider: infobip\nurl: https://x.api.infobip.com\nfrom: Shop\napiKey: short',
      'provider: log\nperPhonePerDay: 0',
    ],
  },
  PUSHES_PER_PHONE_PER_HOUR: number(3, 1, 1000),
  OPERATOR_TOKEN: secret,
  OPERATOR_ROUTES: flag(true),
  DOCS: flag(true),
  SIMULATOR: flag(undefined),
  PROTO_GATEWAY_URL: address('http://127.0.0.1:3002', 'https://chain.example/v1', 'ftp://chain.example'),
  ORACLE_URL: address(undefined, 'https://oracle.example', 'ftp://oracle.example'),
  PUBLIC_URL: address(undefined, 'https://api.example/ussd', 'https://api.example/?a=1'),
  ORACLE_DID: { unset: 'did:ixo:entity:e0001', taken: ['did:key:z6Mk', 'did:key:z6Mk'], refused: ['oracle'] },
  ORACLE_QUESTIONS_PER_DAY: number(20, 1, 10_000),
  ORACLE_QUESTIONS_OF_NEW_PHONES_PER_DAY: number(1_000, 1, 100_000_000),
  PROTO_GATEWAY_API_KEY: secret,
  SECURITY_CONTACT: {
    unset: [],
    taken: ['mailto:security@soko.example', ['mailto:security@soko.example']],
    refused: ['nobody', 'http://soko.example'],
  },
  METRICS_TOKEN: secret,
  OTEL_EXPORTER_OTLP_ENDPOINT: address(undefined, 'http://collector:4318', 'grpc://collector'),
  OTEL_RESOURCE_ATTRIBUTES: {
    unset: {},
    taken: ['deployment.environment.name=staging, a=b', { 'deployment.environment.name': 'staging', a: 'b' }],
    refused: ['staging', '=a', 'a='],
  },
  OTEL_TRACES_SAMPLER_ARG: { unset: 1, taken: ['0.25', 0.25], refused: ['2', '-1', 'all'] },
  DRAIN_DELAY_MS: number(500, 0, 60_000),
  SHUTDOWN_TIMEOUT_MS: number(10_000, 100, 300_000),
  ...Object.fromEntries(
    aggregatorIds.flatMap((id) => [
      [`AGGREGATOR_${id.toUpperCase()}_SECRET`, secret],
      [`AGGREGATOR_${id.toUpperCase()}_CIDRS`, ranges([])],
    ]),
  ),
};

/** The variables of all groups. */
const read = (source: Record<string, string>): Record<string, unknown> => {
  const { aggregators, ...groups } = readConfig(source) satisfies Config;
  const origins = aggregators.aggregators.flatMap(({ caller, origin }) => [
    ...(caller.secret === undefined ? [] : [[caller.secret, origin.secret] as const]),
    ...(caller.addresses === undefined ? [] : [[caller.addresses, origin.cidrs] as const]),
  ]);
  return Object.assign(Object.fromEntries(origins), aggregators, ...Object.values(groups));
};
const problemsOf = (source: Record<string, string>): readonly unknown[] => {
  try {
    readConfig(source);
    return [];
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
    throw error;
  }
};

const named = Object.entries(variables);
const refusals = named.flatMap(([name, { refused = [] }]) => refused.map((wrong) => ({ name, wrong })));

describe.each(named)('%s', (name, { unset, taken: [value, meant], requires }) => {
  it('has its default if it is unset or empty', () => {
    expect(read({})[name]).toEqual(unset);
    expect(read({ [name]: '' })[name]).toEqual(unset);
  });

  it('is read', () => expect(read({ ...requires, [name]: value })[name]).toEqual(meant));
});

it.each(refusals)('$name=$wrong is refused by the name of the variable', ({ name, wrong }) => {
  expect(problemsOf({ [name]: wrong })).toEqual([{ variable: name, message: expect.any(String) }]);
});

it.each(['AGGREGATOR_TWIGA_SECRET', 'AGGREGATOR_TWIGA_CIDRS_FILE'])(
  '%s prevents the start, since no aggregator checks it',
  (name) => {
    expect(problemsOf({ [name]: '192.0.2.0/24' })).toEqual([
      { variable: name, message: expect.stringContaining('no aggregator checks it') },
    ]);
  },
);

describe('the variables', () => {
  it('are all in this table, and all in the README', () => {
    const names = Object.keys(read({ PIN_ENCRYPTION_KEY: key })).filter((name) => name !== 'aggregators');
    expect(names.filter((name) => !(name in variables))).toEqual([]);
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const table = readme.slice(readme.indexOf('\n## Environment'), readme.indexOf('\n## Tests'));
    const inTable = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([A-Z_<>]+)`/g)].map(([, name = '']) => name),
    );
    const general = (name: string) => name.replace(/^AGGREGATOR_[A-Z]+_(?=SECRET|CIDRS)/, 'AGGREGATOR_<ID>_');
    expect([...new Set(Object.keys(variables).map(general))].toSorted()).toEqual(inTable.toSorted());
  });
});

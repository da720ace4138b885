import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { integer, optionalInteger } from './fields.js';
import { parsePostgresUrl } from './postgres-url.js';
import type { EnvProblem } from './read-env.js';
import { parseRedisUrl } from './redis-url.js';

const longestUrl = 4_096;
const longestPem = 1_048_576;
const usualLagSeconds = 5;

/** The variables of a service that may have a Postgres. */
export const databaseShape = {
  DATABASE_URL: address().meta({
    description:
      '[One Postgres or several](../../docs/operations/postgres.md#when-the-primary-fails); required in production',
    shownDefault: 'embedded',
  }),
  DATABASE_DIRECT_URL: address().describe(
    'The server, if `DATABASE_URL` names a pooler in transaction mode (PgBouncer)',
  ),
  DATABASE_READ_URL: address().describe(
    'Replica for [reads that may be seconds old](../../docs/operations/postgres.md#replicas)',
  ),
  DATABASE_READ_MAX_LAG_SECONDS: optionalInteger({ min: 1, max: 86_400 }).meta({
    description: 'Maximum lag of the replica; beyond it the primary is read',
    shownDefault: '`5`',
  }),
  DATABASE_CA: certificates().meta({
    description: 'Certificate authority in PEM; requires `sslmode=verify-full`',
    shownDefault: "Node.js's own",
  }),
  DATABASE_POOL_MAX: integer({ default: 10, min: 1, max: 1_000 }).describe(
    'Maximum of connections, [counted here](../../docs/operations/pools.md); one more while it migrates',
  ),
};

/** The variables of a service that may have a Redis. */
export const redisShape = {
  REDIS_URL: z
    .string()
    .max(longestUrl, 'must be at most 4096 characters')
    .superRefine(checkUrl)
    .optional()
    .describe(
      'Redis that replicas share: [one server, a cluster or sentinels](../../docs/operations/redis.md#which-kind)',
    ),
  REDIS_CA: certificates().meta({
    description: 'Certificate authority of a Redis with TLS, in PEM',
    shownDefault: "Node.js's own",
  }),
};

type Variable = 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_READ_URL';
type DatabaseConfig = {
  readonly [Name in Variable | 'DATABASE_CA']?: string | undefined;
} & { readonly DATABASE_READ_MAX_LAG_SECONDS?: number | undefined };

/** Refuses duplicate addresses and unused settings. */
export function databaseRule(config: DatabaseConfig): EnvProblem[] {
  return [...directUrlProblems(config), ...replicaProblems(config), ...caProblems(config)];
}

/** Options of `openDatabase` from the configuration. */
export function databaseAddresses(config: DatabaseConfig) {
  const { DATABASE_READ_URL: url, DATABASE_READ_MAX_LAG_SECONDS: lag = usualLagSeconds } = config;
  return {
    url: config.DATABASE_URL,
    directUrl: config.DATABASE_DIRECT_URL,
    ca: config.DATABASE_CA,
    replica: url === undefined ? undefined : { url, maxLagMs: lag * 1000 },
  };
}

/** The name of the database on its server; undefined without a server. */
export function databaseName(config: DatabaseConfig): string | undefined {
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (url === undefined) return undefined;
  const { pathname, username } = parsePostgresUrl(url).first;
  return decodeURIComponent(pathname.slice(1) || username || 'postgres');
}

/** A direct address is that of the server behind a pooler, so both must be set, and differ. */
function directUrlProblems({ DATABASE_URL: pooler, DATABASE_DIRECT_URL: direct }: DatabaseConfig): EnvProblem[] {
  const variable = 'DATABASE_DIRECT_URL';
  if (direct === undefined) return [];
  if (pooler === undefined) return [{ variable, message: 'needs DATABASE_URL, which then names the pooler before it' }];
  const message = 'must name the server behind the pooler, not the address in DATABASE_URL';
  return serversOf(direct) === serversOf(pooler) ? [{ variable, message }] : [];
}

function replicaProblems(config: DatabaseConfig): EnvProblem[] {
  const { DATABASE_URL: primary, DATABASE_READ_URL: replica } = config;
  if (replica === undefined) {
    const isAlone = config.DATABASE_READ_MAX_LAG_SECONDS !== undefined;
    return isAlone ? [{ variable: 'DATABASE_READ_MAX_LAG_SECONDS', message: 'needs DATABASE_READ_URL' }] : [];
  }
  const variable = 'DATABASE_READ_URL';
  if (primary === undefined) return [{ variable, message: 'needs DATABASE_URL, of which it names a replica' }];
  const { hosts } = parsePostgresUrl(replica);
  // Of several servers any may be the current primary.
  const isSame = hosts.length === 1 && serversOf(replica) === serversOf(primary);
  return isSame ? [{ variable, message: 'must name a replica, not the address in DATABASE_URL' }] : [];
}

/** Refuses an unused authority: the connection would not be checked as the operator expects. */
function caProblems(config: DatabaseConfig): EnvProblem[] {
  if (config.DATABASE_CA === undefined) return [];
  const variables = (['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const).filter(
    (variable) => config[variable] !== undefined,
  );
  const unchecked = variables.filter((variable) => modeOf(config[variable]) !== 'verify-full');
  if (variables.length > 0 && unchecked.length === 0) return [];
  const [variable = 'DATABASE_URL'] = unchecked;
  return [{ variable: 'DATABASE_CA', message: `is set, but ${variable} does not use it (sslmode=verify-full)` }];
}

function modeOf(url: string | undefined): string | null {
  return url === undefined ? null : parsePostgresUrl(url).first.searchParams.get('sslmode');
}

function serversOf(url: string): string {
  return parsePostgresUrl(url)
    .hosts.map(({ host, port }) => `${host}:${port}`)
    .join();
}

function address() {
  return z
    .string()
    .max(longestUrl, 'must be at most 4096 characters')
    .superRefine((url, context) => {
      try {
        parsePostgresUrl(url);
      } catch {
        const form = 'postgres:// or postgresql://, with one host or several (one:5432,other:5432)';
        context.addIssue({ code: 'custom', message: `must be a URL starting with ${form}` });
      }
    })
    .optional();
}

/** Certificates of authorities, as PEM. */
function certificates() {
  return z
    .string()
    .max(longestPem, 'is too long for certificates')
    .refine(isCertificate, 'is no certificate in PEM')
    .optional();
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

/** Refuses an unused authority: the connection would not be checked as the operator expects. */
export function redisCaRule(config: { REDIS_URL?: string | undefined; REDIS_CA?: string | undefined }): EnvProblem[] {
  const { REDIS_URL: url, REDIS_CA: ca } = config;
  if (ca === undefined || (url !== undefined && parseRedisUrl(url).isTls)) return [];
  return [
    {
      variable: 'REDIS_CA',
      message: 'is set, but REDIS_URL names no Redis with TLS (rediss://, rediss+cluster://, rediss+sentinel://)',
    },
  ];
}

function checkUrl(url: string, context: z.RefinementCtx): void {
  try {
    parseRedisUrl(url);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
  }
}

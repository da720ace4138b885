import {
  choice,
  type EnvProblem,
  flag,
  integer,
  optionalText,
  origins,
  perAddressShape,
  url,
} from '@mlango/service-kit/env';
import { httpsProblem, namedHosts } from '@mlango/service-kit/private-hosts';
import { strongInProduction } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import { apiKeysWeakness, digestsWeakness, parseApiKeys } from './api-keys.js';
import { readKeys } from './key-file.js';

/** The variables of access control. */
export const accessShape = {
  ...perAddressShape,
  GATEWAY_AUTH: choice(['none', 'api-key', 'ucan'], 'none').describe('`none`, `api-key` or `ucan`'),
  GATEWAY_API_KEYS: strongInProduction(
    z.string().max(1_000_000).optional(),
    apiKeysWeakness,
    '`npm --prefix services/proto-gateway run -s api-key NAME` makes a key and its entry',
  ).describe('`name:sha256hex`, with commas or line breaks between'),
  GATEWAY_KEYS: optionalText().describe(
    'A file of [keys with plans](#keys-with-plans), in addition to those or instead',
  ),
  GATEWAY_DID: optionalText().describe('The audience of UCAN invocations'),
  UCAN_RESOURCE: optionalText().meta({
    description:
      'Resource of UCAN invocations. With a DID, callers need a delegation from it; else any DID is admitted',
    shownDefault: '`GATEWAY_DID`',
  }),
  UCAN_AUTH_MAX_TTL_SECONDS: integer({ default: 900, min: 1, max: 86_400 }).describe(
    'Longest lifetime of an invocation',
  ),
  UCAN_SINGLE_USE: flag(false).describe('Whether an invocation is good for one request'),
  BLOCKSYNC_GRAPHQL_URL: url({ protocols: ['http:', 'https:'] }).describe(
    "The chain's indexer, for issuers that are a did:ixo; in production `https://`, or named in `PRIVATE_HOSTS`",
  ),
  PRIVATE_HOSTS: namedHosts().describe(
    'Comma-separated hosts of your own network that may answer for keys without HTTPS',
  ),
  CORS_ORIGINS: origins().describe('Origins that browsers may call from'),
};

export type AccessSettings = z.output<z.ZodObject<typeof accessShape>> & { readonly NODE_ENV: string };

/** Refuses to start with access control that has no effect. */
export function checkAccess(config: AccessSettings): EnvProblem[] {
  const { GATEWAY_AUTH: mode } = config;
  return [
    ...(mode === 'api-key'
      ? [...keyProblems(config), ...keyFileProblems(config)]
      : (['GATEWAY_API_KEYS', 'GATEWAY_KEYS'] as const).flatMap((name) => unused(name, config, 'api-key'))),
    ...(mode === 'ucan' ? ucanProblems(config) : unused('GATEWAY_DID', config, 'ucan')),
    ...httpsProblem('BLOCKSYNC_GRAPHQL_URL', config.BLOCKSYNC_GRAPHQL_URL, config),
  ];
}

function keyFileProblems({ GATEWAY_KEYS: path, NODE_ENV: environment }: AccessSettings): EnvProblem[] {
  if (path === undefined) return [];
  const read = readKeys(path, { nowMs: Date.now() });
  const weakness = 'keys' in read && environment === 'production' ? digestsWeakness(read.keys) : undefined;
  const message = 'problem' in read ? read.problem : weakness;
  return message === undefined ? [] : [{ variable: 'GATEWAY_KEYS', message }];
}

function keyProblems({ GATEWAY_API_KEYS: text = '', GATEWAY_KEYS: file }: AccessSettings): EnvProblem[] {
  const variable = 'GATEWAY_API_KEYS';
  const parsed = parseApiKeys(text);
  if ('problem' in parsed) return [{ variable, message: parsed.problem }];
  return parsed.keys.length > 0 || file !== undefined
    ? []
    : [
        {
          variable,
          message:
            'is required with GATEWAY_AUTH=api-key, unless GATEWAY_KEYS names a file: name:sha256hex, with commas between',
        },
      ];
}

function ucanProblems({ GATEWAY_DID: did, UCAN_RESOURCE: resource }: AccessSettings): EnvProblem[] {
  const problems: EnvProblem[] = [];
  if (did === undefined || !/^did:[a-z0-9]+:\S+$/.test(did)) {
    problems.push({ variable: 'GATEWAY_DID', message: 'is required with GATEWAY_AUTH=ucan: the DID of this gateway' });
  }
  if (resource !== undefined && !/^[a-z][a-z0-9+.-]*:[^\s*]+$/.test(resource)) {
    problems.push({ variable: 'UCAN_RESOURCE', message: 'must be a URI such as ixo:proto, without *' });
  }
  return problems;
}

function unused(
  variable: 'GATEWAY_API_KEYS' | 'GATEWAY_KEYS' | 'GATEWAY_DID',
  config: AccessSettings,
  mode: AccessSettings['GATEWAY_AUTH'],
): EnvProblem[] {
  return config[variable] === undefined ? [] : [{ variable, message: `has no effect without GATEWAY_AUTH=${mode}` }];
}

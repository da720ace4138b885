import { KeyError, parseSecretKey } from '@mlango/crypto/keyring';
import {
  choice,
  cidrs,
  flag,
  integer,
  list,
  optionalInteger,
  processShape,
  publicAddressShape,
  secret,
  storesShape,
  telemetryShape,
  url,
} from '@mlango/service-kit/env';
import { keysWeakness, keyWeakness, strongInProduction } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import { canonicalOpenShape, hubtelServicesShape, mountedShape } from './aggregator-settings.js';
import { messagesText } from './connectors/message/messages-settings.js';
import { webhooksText } from './connectors/webhook/webhook-settings.js';

const pinKeyRemedy =
  '`openssl rand -hex 32` makes one that is not, and docs/operations/rotation.md describes the change';

const pinKey = z.string().superRefine((text, context) => {
  const problem = keyProblem(() => parseSecretKey(text));
  if (problem !== undefined) context.addIssue(problem);
});

const { NODE_ENV, ...listening } = processShape({ port: 3000, rateLimitMax: 100 });

const http = {
  NODE_ENV,
  ...listening,
  ...publicAddressShape,
  RATE_LIMIT_PER_PHONE: integer({ default: 60, min: 1, max: 100_000 }).describe(
    'Hops a minute of one subscriber, from an address of an aggregator or a trusted one',
  ),
  OPERATOR_TOKEN: secret({ minLength: 16 }).describe('Bearer token of the operator routes; at least 16 characters'),
  OPERATOR_ROUTES: flag(true).describe('`off` removes the operator routes'),
  DOCS: flag(true).describe('`off` removes `/docs` and `/docs/json`, which list the routes'),
  SIMULATOR: flag(false)
    .unwrap()
    .optional()
    .meta({ description: 'The workbench at `/simulator`; refused in production', shownDefault: 'on in development' }),
};

const sessions = {
  NODE_ENV,
  SESSION_TTL_SECONDS: integer({ default: 180, min: 1, max: 3600 }).describe(
    'Lifetime of a session after its last new hop',
  ),
  RESUME_WINDOW_SECONDS: integer({ default: 300, min: 0, max: 3600 }).describe(
    'How long after a session was interrupted a dial may continue it; 0 turns that off, 3600 at most',
  ),
  HOP_DEADLINE_MS: integer({ default: 5000, min: 100, max: 30_000 }).describe(
    'Deadline of a hop: it is answered in time in any state of the back ends',
  ),
  DUPLICATE_WINDOW_MS: optionalInteger({ min: 0, max: 10_000 }).meta({
    description: 'Within it an equal input, alone and without number, is a retry',
    shownDefault: '`0`; in production `1000`',
  }),
  USSD_TEXT_MODE: choice(['auto', 'accumulated', 'latest'], 'auto').describe(
    'Text of the canonical endpoint: `accumulated` or `latest`, if all its callers send one form',
  ),
};

const accounts = {
  PIN_ENCRYPTION_KEY: strongInProduction(pinKey.optional(), keyWeakness, pinKeyRemedy).meta({
    description: '64 hex or 44 base64 characters; it also derives the key of text MACs',
    shownDefault: 'generated once in development',
  }),
  PIN_ENCRYPTION_KEYS_OLD: strongInProduction(list(), keysWeakness, pinKeyRemedy).describe(
    'Earlier keys, comma-separated: they open PINs and continue sessions, and seal nothing',
  ),
  LOCKOUT_SECONDS: integer({ default: 900, min: 1, max: 86_400 }).describe(
    'The first lock after three wrong PINs; the next ones double',
  ),
  ACCOUNTS_PER_PHONE_PER_DAY: integer({ default: 3, min: 1, max: 100_000 }).describe(
    'New accounts of one phone within 24 hours; more are refused with a reason',
  ),
  ONE_TIME_PIN_MINUTES: integer({ default: 30, min: 1, max: 1440 }).describe(
    "Lifetime of an operator's code in the place of a forgotten PIN",
  ),
};

const flows = {
  APP_NAME: z
    .string()
    .regex(/^[^\p{Control}]{1,40}$/u, 'must be 1 to 40 characters without control characters')
    .default('Mlango')
    .describe('Name in the welcome line; 1 to 40 characters'),
  FLOWS_DIR: z.string().min(1).optional().meta({
    description: 'A folder of flows, [services](#several-services) and [aggregators](aggregators/README.md)',
    shownDefault: 'the shipped folder',
  }),
  FLOWS_RELOAD_SECONDS: integer({ default: 2, min: 0, max: 3600 }).describe(
    'Interval of checks of that folder for [changes](#a-screen); 0 turns them off',
  ),
  SERVICE_CODES: list()
    .refine(
      (codes) => codes.every((code) => /^\*[0-9]+(\*[0-9]+)*#$/.test(code)),
      'must be a comma-separated list of service codes, such as *384#',
    )
    .meta({
      description: 'Comma-separated served codes (`*384#`), besides those of [other services](#several-services)',
      shownDefault: 'any',
    }),
  SERVICE_CODE_LEVELS: integer({ default: 2, min: 2, max: 8 }).describe(
    'Maximum of digit groups in a service code; `SERVICE_CODES` and `services.yaml` may have no longer code',
  ),
};

const connectors = {
  NODE_ENV,
  PROTO_GATEWAY_URL: url({ protocols: ['http:', 'https:'] })
    .default('http://127.0.0.1:3002')
    .describe('The query gateway, for screens that query the chain'),
  PROTO_GATEWAY_API_KEY: secret({ minLength: 16 }).describe(
    'Key for the query gateway, sent as `X-API-Key`; at least 16 characters',
  ),
  ORACLE_URL: url({ protocols: ['http:', 'https:'] })
    .optional()
    .describe('The oracle for [questions](#the-oracle-by-phone) of phones'),
  ORACLE_DID: z
    .string()
    .regex(/^did:[a-z0-9]+:\S{1,200}$/, 'must be a DID')
    .default('did:ixo:entity:e0001')
    .describe('Audience of tokens for the oracle: its account DID or its entity DID'),
  ORACLE_QUESTIONS_PER_DAY: integer({ default: 20, min: 1, max: 10_000 }).describe(
    'Questions of one phone to one service in a day (UTC)',
  ),
  ORACLE_QUESTIONS_OF_NEW_PHONES_PER_DAY: integer({ default: 1_000, min: 1, max: 100_000_000 }).describe(
    'Questions in a day of all new phones (first question within 24 hours) together',
  ),
  WEBHOOKS: webhooksText.describe(
    '[Webhooks](#webhooks) by name, as YAML or JSON; usually as `WEBHOOKS_FILE`, because it contains secrets',
  ),
  MESSAGES: messagesText.meta({
    description: 'Provider of [messages](#messages), as YAML or JSON; mostly as `MESSAGES_FILE`: it has a key',
    shownDefault: 'a log; in production none',
  }),
  PUSHES_PER_PHONE_PER_HOUR: integer({ default: 3, min: 1, max: 1000 }).describe(
    '[Pushed menus](#pushed-menus) of one phone, by each service',
  ),
};

const telemetry = {
  NODE_ENV,
  ...telemetryShape,
  HOP_WINDOW_SECONDS: integer({ default: 60, min: 5, max: 600 }).describe(
    'Window of hops for `/health` and readiness, 5 to 600',
  ),
  HOP_WINDOW_FLOOR: integer({ default: 20, min: 1, max: 1_000_000 }).describe(
    'Minimum of hops in that window for a result',
  ),
};

const aggregators = {
  NODE_ENV,
  ...mountedShape,
  ...canonicalOpenShape,
  ...hubtelServicesShape,
  RATE_LIMIT_TRUSTED_CIDRS: cidrs().describe(
    'Addresses that are not limited on any route; at endpoints of aggregators by subscriber instead',
  ),
};

const stores = { ...storesShape('ussd-gateway') };

/** The problem of a key, without any part of it. */
export function keyProblem(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof KeyError) return error.message;
    throw error;
  }
}

/** The environment variables in groups, in the order in which the README lists them. */
export const settings = { http, sessions, accounts, flows, connectors, aggregators, stores, telemetry };

import { KeyError, keyringFromSecrets, parseSecretKey } from '@mlango/crypto/keyring';
import {
  choice,
  cidrs,
  databaseRule,
  EnvError,
  type EnvProblem,
  type EnvRule,
  type EnvSource,
  embeddedStoresRule,
  flag,
  integer,
  list,
  optionalInteger,
  processShape,
  publicAddressShape,
  readEnv,
  redisCaRule,
  secret,
  storesShape,
  url,
} from '@mlango/service-kit/env';
import { keysWeakness, keyWeakness, strongInProduction } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import {
  aggregatorShape,
  type ConfiguredAggregator,
  canonicalOpenShape,
  configureAggregators,
  hubtelServicesShape,
  mountedShape,
  openDoorsRule,
  unknownAggregatorsRule,
} from './aggregator-settings.js';
import { readAggregators } from './aggregators/registry.js';
import { messagesProblems, messagesText } from './connectors/message/messages-settings.js';
import { webhookProblems, webhooksText } from './connectors/webhook/webhook-settings.js';
import { tooManyGroups } from './tenants/service-codes.js';

const pinKeyRemedy =
  '`openssl rand -hex 32` makes one that is not, and "Turning keys" in the README says how to come to it';

const pinKey = z.string().superRefine((text, context) => {
  const problem = keyProblem(() => parseSecretKey(text));
  if (problem !== undefined) context.addIssue(problem);
});

const {
  NODE_ENV,
  LOG_LEVEL,
  METRICS_TOKEN,
  OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_RESOURCE_ATTRIBUTES,
  OTEL_TRACES_SAMPLER_ARG,
  ...processFields
} = processShape({
  port: 3000,
  rateLimitMax: 100,
});

const http = {
  NODE_ENV,
  ...processFields,
  ...publicAddressShape,
  /** Hops a minute for one subscriber, from a trusted address. */
  RATE_LIMIT_PER_PHONE: integer({ default: 60, min: 1, max: 100_000 }),
  OPERATOR_TOKEN: secret({ minLength: 16 }),
  OPERATOR_ROUTES: flag(true),
  /** The API description at /docs, with its page. */
  DOCS: flag(true),
  /** The simulator at /simulator. Default: in development only. */
  SIMULATOR: flag(false).unwrap().optional(),
};

const sessions = {
  NODE_ENV,
  /** Inactivity after which a session expires. */
  SESSION_TTL_SECONDS: integer({ default: 180, min: 1, max: 3600 }),
  /** How long after its end a lost session can be resumed by a dial; 0 turns that off. */
  RESUME_WINDOW_SECONDS: integer({ default: 300, min: 0, max: 3600 }),
  /** The deadline of a hop. */
  HOP_DEADLINE_MS: integer({ default: 5000, min: 100, max: 30_000 }),
  /**
   * For aggregators that send each input separately, without numbers: an equal input within this time after the reply
   * is a retry.
   */
  DUPLICATE_WINDOW_MS: optionalInteger({ min: 0, max: 10_000 }),
  USSD_TEXT_MODE: choice(['auto', 'accumulated', 'latest'], 'auto'),
};

const accounts = {
  /** 64 hex characters or 44 characters of base64; outside production also 32 raw characters. */
  PIN_ENCRYPTION_KEY: strongInProduction(pinKey.optional(), keyWeakness, pinKeyRemedy),
  /** Earlier keys, in the same forms. */
  PIN_ENCRYPTION_KEYS_OLD: strongInProduction(list(), keysWeakness, pinKeyRemedy),
  /** The first lock after three wrong PINs; each following lock lasts twice as long. */
  LOCKOUT_SECONDS: integer({ default: 900, min: 1, max: 86_400 }),
  /** Accounts that one phone may create within 24 hours. */
  ACCOUNTS_PER_PHONE_PER_DAY: integer({ default: 3, min: 1, max: 100_000 }),
  /** Lifetime of a one-time code in place of a forgotten PIN. */
  ONE_TIME_PIN_MINUTES: integer({ default: 30, min: 1, max: 1440 }),
};

const flows = {
  /** The name on the welcome screen. Short enough for every screen that prints it. */
  APP_NAME: z
    .string()
    .regex(/^[^\p{Control}]{1,40}$/u, 'must be 1 to 40 characters without control characters')
    .default('Mlango'),
  /** A folder of flows: `default/flow.yaml` is the flow of dials. Default: the flows of this package. */
  FLOWS_DIR: z.string().min(1).optional(),
  /** How often that folder is polled for changes; 0 turns that off. */
  FLOWS_RELOAD_SECONDS: integer({ default: 2, min: 0, max: 3600 }),
  /** The active service codes; any if empty. */
  SERVICE_CODES: list().refine(
    (codes) => codes.every((code) => /^\*[0-9]+(\*[0-9]+)*#$/.test(code)),
    'must be a comma-separated list of service codes, such as *384#',
  ),
  /** Most groups of digits in a service code. */
  SERVICE_CODE_LEVELS: integer({ default: 2, min: 2, max: 8 }),
};

const connectors = {
  NODE_ENV,
  /** The query gateway, for flows that query the chain. */
  PROTO_GATEWAY_URL: url({ protocols: ['http:', 'https:'] }).default('http://127.0.0.1:3002'),
  /** For a query gateway that requires an API key. */
  PROTO_GATEWAY_API_KEY: secret({ minLength: 16 }),
  /** The oracle for questions by phone; none if unset. */
  ORACLE_URL: url({ protocols: ['http:', 'https:'] }).optional(),
  /** The audience of its tokens: one of the DIDs of the oracle. */
  ORACLE_DID: z
    .string()
    .regex(/^did:[a-z0-9]+:\S{1,200}$/, 'must be a DID')
    .default('did:ixo:entity:e0001'),
  /** Questions of one phone in a day. */
  ORACLE_QUESTIONS_PER_DAY: integer({ default: 20, min: 1, max: 10_000 }),
  /** Questions in a day of all phones that are new within 24 hours. */
  ORACLE_QUESTIONS_OF_NEW_PHONES_PER_DAY: integer({ default: 1_000, min: 1, max: 100_000_000 }),
  /** The webhooks that flows may name, with addresses and secrets, as YAML or JSON. */
  WEBHOOKS: webhooksText,
  /** The message provider with its settings, as YAML or JSON. Default: a log in development, none in production. */
  MESSAGES: messagesText,
  /** Pushes to one phone in an hour, for each tenant. */
  PUSHES_PER_PHONE_PER_HOUR: integer({ default: 3, min: 1, max: 1000 }),
};

const telemetry = {
  ...{ NODE_ENV, LOG_LEVEL, METRICS_TOKEN },
  ...{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER_ARG },
  /** The window of recent hops for health and readiness. */
  HOP_WINDOW_SECONDS: integer({ default: 60, min: 5, max: 600 }),
  /** With fewer hops in the window there is no verdict. */
  HOP_WINDOW_FLOOR: integer({ default: 20, min: 1, max: 1_000_000 }),
};

const aggregators = {
  NODE_ENV,
  ...mountedShape,
  ...canonicalOpenShape,
  ...hubtelServicesShape,
  /** Addresses of aggregators: limited by subscriber, not by address. */
  RATE_LIMIT_TRUSTED_CIDRS: cidrs(),
};

const stores = { ...storesShape('ussd-gateway') };

const schema = z.object({
  ...{ ...http, ...sessions, ...accounts, ...flows, ...connectors, ...aggregators, ...stores, ...telemetry },
});

type Values = z.output<typeof schema>;

type Group<Shape> = Readonly<Pick<Values, keyof Shape & keyof Values>>;

export type HttpConfig = Group<typeof http>;
export type SessionsConfig = Group<typeof sessions>;
export type AccountsConfig = Group<typeof accounts>;
export type FlowsConfig = Group<typeof flows>;
export type ConnectorsConfig = Group<typeof connectors>;
export interface AggregatorsConfig extends Group<typeof aggregators> {
  /** Every known aggregator, with its settings. */
  readonly aggregators: readonly ConfiguredAggregator[];
}
export type StoresConfig = Group<typeof stores>;
export type TelemetryConfig = Group<typeof telemetry>;

/** The configuration in groups, each with the names of its environment variables. Code takes the groups that it needs. */
export interface Config {
  readonly http: HttpConfig;
  readonly sessions: SessionsConfig;
  readonly accounts: AccountsConfig;
  readonly flows: FlowsConfig;
  readonly connectors: ConnectorsConfig;
  readonly aggregators: AggregatorsConfig;
  readonly stores: StoresConfig;
  readonly telemetry: TelemetryConfig;
}

/** All variables, for rules across groups. */
type Variables = Values & Pick<AggregatorsConfig, 'aggregators'>;

/** @throws {EnvError} listing every variable that is missing, malformed or unsafe, and every problem of described aggregators. */
export function readConfig(source: EnvSource): Config {
  const { FLOWS_DIR } = readEnv(schema.pick({ FLOWS_DIR: true }), source);
  const { aggregators: known, problems } = readAggregators(FLOWS_DIR);
  if (problems.length > 0) throw new EnvError(problems.map((message) => ({ variable: 'FLOWS_DIR', message })));
  const configured = (values: Values): Variables => ({ ...values, aggregators: configureAggregators(known, values) });
  // The descriptions define further variables.
  const whole = schema.extend(aggregatorShape(known) as object);
  const variables = configured(readEnv(whole, source, [(values) => problemsOf(configured(values))]));
  return {
    http: pick(variables, http),
    sessions: pick(variables, sessions),
    accounts: pick(variables, accounts),
    flows: pick(variables, flows),
    connectors: pick(variables, connectors),
    aggregators: { ...pick(variables, aggregators), aggregators: variables.aggregators },
    stores: pick(variables, stores),
    telemetry: pick(variables, telemetry),
  };
}

function pick<Shape extends object>(variables: Variables, shape: Shape): Group<Shape> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => name in shape)) as Group<Shape>;
}

function problemsOf(config: Variables): EnvProblem[] {
  return rules.flatMap((rule) => rule(config));
}

const rules: readonly EnvRule<Variables>[] = [
  embeddedStoresRule,
  databaseRule,
  redisCaRule,
  keysRule,
  codesRule,
  operatorRule,
  simulatorRule,
  unknownAggregatorsRule,
  openDoorsRule,
  webhooksRule,
  messagesRule,
];

/** Default: one second in production, else 0. */
export function duplicateWindowMs({ DUPLICATE_WINDOW_MS: set, NODE_ENV }: SessionsConfig): number {
  return set ?? (NODE_ENV === 'production' ? 1000 : 0);
}

function keysRule(config: Variables): EnvProblem[] {
  const { PIN_ENCRYPTION_KEY: current, PIN_ENCRYPTION_KEYS_OLD: earlier } = config;
  const problems: EnvProblem[] = [];
  if (current === undefined && config.NODE_ENV === 'production') {
    problems.push({ variable: 'PIN_ENCRYPTION_KEY', message: 'is required in production' });
  }
  for (const key of earlier) {
    const message = keyProblem(() => parseSecretKey(key));
    if (message !== undefined) problems.push({ variable: 'PIN_ENCRYPTION_KEYS_OLD', message });
  }
  if (problems.length > 0 || current === undefined) return problems;
  const message = keyProblem(() => keyringFromSecrets(current, earlier));
  return message === undefined ? [] : [{ variable: 'PIN_ENCRYPTION_KEYS_OLD', message }];
}

/** Codes with too many groups, which every hop would refuse. */
function codesRule({ SERVICE_CODES: codes, SERVICE_CODE_LEVELS: levels }: Variables): EnvProblem[] {
  const problems = codes.map((code) => tooManyGroups(code, levels)).filter((problem) => problem !== undefined);
  return problems.map((message) => ({ variable: 'SERVICE_CODES', message }));
}

function operatorRule(config: Variables): EnvProblem[] {
  const unguarded = config.NODE_ENV === 'production' && config.OPERATOR_ROUTES && config.OPERATOR_TOKEN === undefined;
  const message = 'is required in production while the operator routes are on (OPERATOR_ROUTES=off removes them)';
  return unguarded ? [{ variable: 'OPERATOR_TOKEN', message }] : [];
}

function webhooksRule({ WEBHOOKS, NODE_ENV }: Variables): EnvProblem[] {
  return webhookProblems(WEBHOOKS, NODE_ENV === 'production').map((message) => ({ variable: 'WEBHOOKS', message }));
}

function messagesRule(config: Variables): EnvProblem[] {
  return messagesProblems(config).map((message) => ({ variable: 'MESSAGES', message }));
}

/** A visitor of the simulator can act as any subscriber. */
function simulatorRule(config: Variables): EnvProblem[] {
  const exposed = config.NODE_ENV === 'production' && config.SIMULATOR === true;
  return exposed ? [{ variable: 'SIMULATOR', message: 'must not be on in production' }] : [];
}

/** The problem of a key, without any part of it. */
function keyProblem(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof KeyError) return error.message;
    throw error;
  }
}

import { sendLimits } from '@mlango/schemas/oracle-send';
import {
  choice,
  databaseRule,
  type EnvProblem,
  type EnvSource,
  embeddedStoresRule,
  flag,
  flagOr,
  integer,
  isOrigin,
  list,
  optionalInteger,
  optionalText,
  perAddressShape,
  processShape,
  publicAddressShape,
  readEnv,
  redisCaRule,
  storesShape,
  text,
  url,
} from '@mlango/service-kit/env';
import { namedHosts } from '@mlango/service-kit/named-hosts';
import { keyWeakness, mnemonicWeakness, strongInProduction, tokenWeakness } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import { identityRules } from './identity/identity-rules.js';
import { sealKeysWeakness } from './identity/keys.js';
import { nameIn, providerNames } from './models/model-endpoints.js';
import { modelFields } from './models/model-fields.js';
import { apiKeys, modelsRule } from './models/models-rule.js';
import { thinkTagModes } from './models/think-tags.js';
import { isProtocolName, protocolNames } from './protocols/names.js';

const did = () =>
  optionalText().refine((value) => value === undefined || /^did:[a-z0-9]+:\S+$/.test(value), 'must be a DID');

const modelIdProblem = `must be at most ${sendLimits.modelChars} characters`;
const modelId = () =>
  optionalText().refine((value) => value === undefined || value.length <= sendLimits.modelChars, modelIdProblem);

const printableText = () =>
  optionalText().refine(
    (value) => value === undefined || /^[\x21-\x7e]+$/.test(value),
    'must be printable ASCII without blanks',
  );

const MEBIBYTE = 1024 * 1024;

const { NODE_ENV, LOG_LEVEL, METRICS_TOKEN, ...processVariables } = processShape({ port: 3001, rateLimitMax: 120 });
const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER_ARG, ...listening } =
  processVariables;
const { DATA_DIR, ...storeVariables } = storesShape('oracle-api');

/** Addresses, accepted requests, and limits per address. */
const http = {
  NODE_ENV,
  ...listening,
  ...publicAddressShape,
  ...perAddressShape,
  CORS_ORIGIN: list(['*']).refine(
    (items) => items.join() === '*' || (items.length > 0 && items.every(isOrigin)),
    'must be *, or a comma-separated list of origins as browsers send them, such as https://app.example',
  ),
  /** Protocols of other clients: all in development, none in production by default. */
  DOORS: list().refine(
    (items) => items.every((item) => item === 'none' || isProtocolName(item)),
    `must be a list of ${protocolNames.join(', ')}, or none`,
  ),
  /** Serves the API description at /docs. */
  DOCS: flag(true),
  /** Sockets of one address per process, unauthenticated connections included. */
  SOCKETS_PER_ADDRESS: integer({ default: 1_000, min: 1, max: 10_000 }),
  /** Messages answered in a day for all users of one address together. */
  TURNS_PER_ADDRESS: integer({ default: 5_000, min: 1, max: 100_000_000 }),
  /** Bytes that requests of one address may store in a day, in rows of 16 KiB on average. */
  STORAGE_BYTES_PER_ADDRESS: integer({ default: 1024 * MEBIBYTE, min: 1, max: 1024 * 1024 * MEBIBYTE }),
  /** Private hosts that may be called at addresses which a caller names. */
  PRIVATE_HOSTS: namedHosts(),
};

/** The oracle's own keys, and which callers it accepts. */
const identity = {
  NODE_ENV,
  /** Location of generated keys. */
  DATA_DIR,
  /** Name with which the agent introduces itself. */
  ORACLE_NAME: text('Mlango'),
  ORACLE_DID: did(),
  ORACLE_ENTITY_DID: did(),
  ORACLE_MNEMONIC: strongInProduction(optionalText(), mnemonicWeakness, 'generate its words randomly'),
  ORACLE_SIGNING_SEED: strongInProduction(
    optionalText().refine(
      (value) => value === undefined || /^[0-9a-fA-F]{64}$/.test(value),
      'must be 64 hex characters',
    ),
    keyWeakness,
  ),
  UCAN_AUTH_MAX_TTL_SECONDS: integer({ default: 900, min: 60, max: 86_400 }),
  /** Whether a delegation alone authenticates: always, only if it covers the use of this oracle, or never. */
  UCAN_ALLOW_DELEGATION_AUTH: flagOr('covering', true),
  UCAN_RESOURCES: list(['ixo:oracle']).refine(
    (items) => items.length > 0 && items.every((item) => /^[^:\s]+:\S+$/.test(item)),
    'must name at least one resource, each a URI such as ixo:oracle',
  ),
  /** Source of the keys of did:ixo issuers: the chain's indexer, else the query gateway. */
  BLOCKSYNC_GRAPHQL_URL: url({ protocols: ['http:', 'https:'] }),
  PROTO_GATEWAY_URL: url({ protocols: ['http:', 'https:'] }),
  /** Lets users create keys for scripts that cannot sign. */
  API_KEYS: flag(false),
  /** Keys that seal stored secrets, the first one active. */
  SEAL_KEYS: strongInProduction(optionalText(), sealKeysWeakness),
};

/** Language models and their endpoints. */
const models = {
  /** Provider of `LLM_MODEL` and of entries of `LLM_MODELS` without a provider. */
  LLM_PROVIDER: choice(providerNames, 'openai-compatible'),
  /** Address of the provider; without an endpoint the built-in model answers. */
  LLM_BASE_URL: url({ protocols: ['http:', 'https:'] }),
  LLM_API_KEY: printableText(),
  /** Keys of other endpoints, by the name of the endpoint or of its provider. */
  LLM_API_KEYS: list().transform(apiKeys),
  /** Default model of a message. */
  LLM_MODEL: modelId(),
  /** Models that a message may name: models of `LLM_PROVIDER`, and endpoints with their provider in failover order. */
  LLM_MODELS: list().refine((ids) => ids.every((id) => nameIn(id).length <= sendLimits.modelChars), modelIdProblem),
  /** Writes titles and summaries. */
  LLM_SMALL_MODEL: modelId(),
  /** Models that accept images, PDFs, and WAV and MP3. */
  LLM_VISION_MODELS: list(),
  LLM_PDF_MODELS: list(),
  LLM_AUDIO_MODELS: list(),
  /** Additional fields of the request body, by model. */
  LLM_MODEL_FIELDS: modelFields(),
  /** Models whose text starts with reasoning in tags. */
  LLM_THINK_TAGS: list().transform(thinkTagModes),
  LLM_CONTEXT_TOKENS: integer({ default: 32_000, min: 4_000, max: 10_000_000 }),
  LLM_ANSWER_TOKENS: integer({ default: 4_096, min: 256, max: 1_000_000 }),
  /** Longest time between two parts of a model's reply. */
  LLM_TIMEOUT_MS: integer({ default: 60_000, min: 100, max: 300_000 }),
  /** Concurrent model requests of one user. */
  LLM_CALLS_PER_USER: integer({ default: 4, min: 1, max: 1_000 }),
  /** Pause of the built-in model before each word. */
  LOCAL_MODEL_PACE_MS: integer({ default: 15, min: 0, max: 1_000 }),
};

/** Turns, their queue, and how long runs and messages are stored. */
const runs = {
  /** Longest time of a turn, from when it may run. */
  TURN_TIMEOUT_SECONDS: integer({ default: 300, min: 10, max: 1_800 }),
  /** Model requests of a turn that may call tools; the next one has to answer. */
  TURN_STEPS: integer({ default: 8, min: 1, max: 100 }),
  /** Repetitions of an identical call in a turn, unless its tool sets its own limit. */
  TURN_SAME_CALLS: integer({ default: 2, min: 1, max: 100 }),
  /** Whether a message interrupts the running turn of its session or is queued. */
  RUN_CONFLICT: choice(['interrupt', 'enqueue'], 'interrupt'),
  /** Messages queued in one session, and for one user in all sessions. */
  RUN_QUEUE_PER_SESSION: integer({ default: 50, min: 1, max: 10_000 }),
  RUN_QUEUE_PER_USER: integer({ default: 200, min: 1, max: 100_000 }),
  /** How long the stream of a run can be read again. */
  RUN_RETENTION_HOURS: integer({ default: 24, min: 1, max: 720 }),
  /** How long the frames of a run are stored after its answer is in the database. */
  RUN_FRAMES_MINUTES: integer({ default: 15, min: 1, max: 1_440 }),
  /** How long messages are stored; without a limit by default. */
  MESSAGE_RETENTION_DAYS: optionalInteger({ min: 1, max: 36_500 }),
  /** How long a call waits for approval; afterwards it is denied. */
  APPROVAL_TTL_HOURS: integer({ default: 72, min: 1, max: 720 }),
  /** Messages of one user in a UTC day; 0 for no limit. */
  MESSAGES_PER_USER_PER_DAY: integer({ default: 0, min: 0, max: 1_000_000 }),
  /** Sessions of one user. */
  SESSIONS_PER_USER: integer({ default: 1_000, min: 1, max: 1_000_000 }),
};

/** Tools of plugins and of the user's browser. */
const plugins = {
  NODE_ENV,
  /** Time for the user's browser to answer a tool call. */
  FRONTEND_TOOL_TIMEOUT_MS: integer({ default: 15_000, min: 1_000, max: 120_000 }),
  /** Overrides which tools need approval: `pay=ask,weather_*=free`. The first match counts. */
  TOOL_APPROVAL: list([]).refine(
    (items) => items.every((item) => /^[A-Za-z0-9_-]*\*?=(ask|free)$/.test(item)),
    'must be a list such as pay=ask,weather_*=free',
  ),
  /** Limits of a plugin's tools in a turn: `mcp:steps=3,mcp:seconds=60,weather:sameCalls=5`. */
  PLUGIN_LIMITS: list([]).refine(
    (items) => items.every((item) => /^[a-z][a-z0-9-]*:(steps|sameCalls|seconds)=[1-9]\d{0,3}$/.test(item)),
    'must be a list such as mcp:steps=3,mcp:seconds=60,weather:sameCalls=5',
  ),
  /** Gives each plugin with tables a Postgres role with rights to these tables only, and its password. */
  PLUGIN_ROLES: flag(false),
  PLUGIN_ROLES_PASSWORD: strongInProduction(printableText(), tokenWeakness),
};

/** Database, Redis and storage limits. */
const stores = {
  DATA_DIR,
  ...storeVariables,
  /** Largest size of one table; beyond it requests that store rows are refused. */
  STORAGE_BYTES_PER_TABLE: integer({ default: 64 * 1024 * MEBIBYTE, min: 1, max: 64 * 1024 * 1024 * MEBIBYTE }),
};

/** Logs, metrics and traces. */
const telemetry = {
  NODE_ENV,
  LOG_LEVEL,
  METRICS_TOKEN,
  OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_RESOURCE_ATTRIBUTES,
  OTEL_TRACES_SAMPLER_ARG,
  /** Records messages, tool arguments and tool results in traces. */
  OTEL_CAPTURE_CONTENT: flag(false),
};

const schema = z.object({ ...http, ...identity, ...models, ...runs, ...plugins, ...stores, ...telemetry });

type Variables = z.output<typeof schema>;
type Group<Shape> = Readonly<Pick<Variables, keyof Shape & keyof Variables>>;

/** The configuration in groups, each with the names of its environment variables. Code takes the groups that it needs. */
export interface Config {
  readonly http: HttpConfig;
  readonly identity: IdentityConfig;
  readonly models: ModelsConfig;
  readonly runs: RunsConfig;
  readonly plugins: PluginsConfig;
  readonly stores: StoresConfig;
  readonly telemetry: TelemetryConfig;
}

export type HttpConfig = Group<typeof http>;
export type IdentityConfig = Group<typeof identity>;
export type ModelsConfig = Group<typeof models>;
export type RunsConfig = Group<typeof runs>;
export type PluginsConfig = Group<typeof plugins>;
export type StoresConfig = Group<typeof stores>;
export type TelemetryConfig = Group<typeof telemetry>;

/** Plugin roles need a database server and a password. */
const pluginRolesRule = (config: Variables): EnvProblem[] =>
  (['DATABASE_URL', 'PLUGIN_ROLES_PASSWORD'] as const).flatMap((variable) =>
    config.PLUGIN_ROLES && config[variable] === undefined
      ? [{ variable, message: 'is required with PLUGIN_ROLES=on' }]
      : [],
  );

const rules = [embeddedStoresRule, databaseRule, redisCaRule, pluginRolesRule, ...identityRules, modelsRule];

export function processEnvironment(): EnvSource {
  return process.env;
}

/** @throws {EnvError} naming every variable that is missing, malformed or unsafe. */
export function readConfig(source: EnvSource): Config {
  const variables = readEnv(schema, source, rules);
  return {
    http: pick(variables, http),
    identity: pick(variables, identity),
    models: pick(variables, models),
    runs: pick(variables, runs),
    plugins: pick(variables, plugins),
    stores: pick(variables, stores),
    telemetry: pick(variables, telemetry),
  };
}

function pick<Shape extends object>(variables: Variables, shape: Shape): Group<Shape> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => name in shape)) as Group<Shape>;
}

import { sendLimits } from '@mlango/schemas/oracle-send';
import {
  choice,
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
  storesShape,
  telemetryShape,
  text,
  url,
} from '@mlango/service-kit/env';
import { namedHosts } from '@mlango/service-kit/private-hosts';
import { keyWeakness, mnemonicWeakness, strongInProduction, tokenWeakness } from '@mlango/service-kit/secrets';
import { sealKeysWeakness } from './identity/keys.js';
import { nameIn, providerNames } from './models/model-endpoints.js';
import { modelFields } from './models/model-fields.js';
import { apiKeys } from './models/models-rule.js';
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

const { NODE_ENV, ...listening } = processShape({ port: 3001, rateLimitMax: 120 });
const { DATA_DIR, ...storeVariables } = storesShape('oracle-api');

/** Addresses, accepted requests, and limits per address. */
const http = {
  NODE_ENV,
  ...listening,
  ...publicAddressShape,
  ...perAddressShape,
  CORS_ORIGIN: list(['*'])
    .refine(
      (items) => items.join() === '*' || (items.length > 0 && items.every(isOrigin)),
      'must be *, or a comma-separated list of origins as browsers send them, such as https://app.example',
    )
    .describe('Allowed origins, comma-separated (`https://app.example`); named origins may send credentials'),
  DOORS: list()
    .refine(
      (items) => items.every((item) => item === 'none' || isProtocolName(item)),
      `must be a list of ${protocolNames.join(', ')}, or none`,
    )
    .meta({
      description: 'Protocols of other clients: `openai`, `ai-sdk`, `mcp`, `ag-ui`, `a2a`, or `none`',
      shownDefault: 'all in development, none in production',
    }),
  DOCS: flag(true).describe('`off` removes `/docs` and `/docs/json`'),
  SOCKETS_PER_ADDRESS: integer({ default: 1_000, min: 1, max: 10_000 }).describe(
    'Sockets per address and process, and requests that last as long as a turn',
  ),
  TURNS_PER_ADDRESS: integer({ default: 5_000, min: 1, max: 100_000_000 }).describe(
    'Answered messages per address and day',
  ),
  STORAGE_BYTES_PER_ADDRESS: integer({ default: 1024 * MEBIBYTE, min: 1, max: 1024 * 1024 * MEBIBYTE }).describe(
    'Bytes per address and day, in one row per 16 KiB (65,536); 429 beyond',
  ),
  PRIVATE_HOSTS: namedHosts().describe(
    'Hosts in a private network that may be called (`mcp`, `localhost:8008`): MCP servers, homeservers, key look-ups',
  ),
};

/** The oracle's own keys, and which callers it accepts. */
const identity = {
  NODE_ENV,
  /** Location of generated keys. */
  DATA_DIR,
  ORACLE_NAME: text('Mlango').describe('Name of the agent'),
  ORACLE_DID: did().meta({
    description: 'Account DID of the oracle, the audience of tokens; required in production',
    shownDefault: 'the did:key of the key',
  }),
  ORACLE_ENTITY_DID: did().meta({
    description: 'Entity DID of the oracle; tokens may name it as audience',
    shownDefault: '`ORACLE_DID`',
  }),
  ORACLE_MNEMONIC: strongInProduction(optionalText(), mnemonicWeakness, 'generate its words randomly').meta({
    description: 'Words in place of `ORACLE_SIGNING_SEED`; in production at least twelve',
    shownDefault: '',
  }),
  ORACLE_SIGNING_SEED: strongInProduction(
    optionalText().refine(
      (value) => value === undefined || /^[0-9a-fA-F]{64}$/.test(value),
      'must be 64 hex characters',
    ),
    keyWeakness,
  ).meta({
    description: 'The Ed25519 key, 64 hex characters; it or `ORACLE_MNEMONIC` is required in production',
    shownDefault: 'generated once',
  }),
  UCAN_AUTH_MAX_TTL_SECONDS: integer({ default: 900, min: 60, max: 86_400 }).describe(
    'Longest lifetime of an invocation',
  ),
  UCAN_ALLOW_DELEGATION_AUTH: flagOr('covering', true).describe(
    '`true`, `covering` or `false`: [delegations](../../SECURITY.md#a-delegation-that-logs-in) alone',
  ),
  UCAN_RESOURCES: list(['ixo:oracle'])
    .refine(
      (items) => items.length > 0 && items.every((item) => /^[^:\s]+:\S+$/.test(item)),
      'must name at least one resource, each a URI such as ixo:oracle',
    )
    .describe('Resources that an invocation may name, comma-separated URIs'),
  BLOCKSYNC_GRAPHQL_URL: url({ protocols: ['http:', 'https:'] }).describe(
    "The chain's indexer, for keys of did:ixo callers; in production `https://` or in `PRIVATE_HOSTS`",
  ),
  PROTO_GATEWAY_URL: url({ protocols: ['http:', 'https:'] }).describe(
    'The query gateway, for `chain` and keys of did:ixo; in production `https://` or in `PRIVATE_HOSTS`',
  ),
  API_KEYS: flag(false).describe('Whether users may create [keys for scripts](../../docs/guides/api-keys.md)'),
  SEAL_KEYS: strongInProduction(optionalText(), sealKeysWeakness).meta({
    description:
      '[Keys](../../docs/operations/rotation.md) that seal secrets, the first active; required in production',
    shownDefault: 'generated once',
  }),
};

/** Language models and their endpoints. */
const models = {
  LLM_PROVIDER: choice(providerNames, 'openai-compatible').describe(
    'or `openai`, `anthropic`, `google`, `mistral`, `deepseek`, `openrouter`, `azure`, `bedrock`',
  ),
  LLM_BASE_URL: url({ protocols: ['http:', 'https:'] }).describe(
    'Address of the provider; required for `openai-compatible`, `azure` and `bedrock`',
  ),
  LLM_API_KEY: printableText().describe('Key of `LLM_PROVIDER`; required except for `openai-compatible`'),
  LLM_API_KEYS: list()
    .transform(apiKeys)
    .describe('Keys of other endpoints, by endpoint or provider: `main=…,mistral=…`'),
  LLM_MODEL: modelId().describe('Default model; it or `LLM_MODELS` is required with an endpoint'),
  LLM_MODELS: list()
    .refine((ids) => ids.every((id) => nameIn(id).length <= sendLimits.modelChars), modelIdProblem)
    .describe('[Models](../../docs/operations/model-endpoints.md#several-providers) that a message may select'),
  LLM_SMALL_MODEL: modelId().meta({ description: 'Model for titles and summaries', shownDefault: '`LLM_MODEL`' }),
  LLM_VISION_MODELS: list().describe('Models that accept images: [files](../../docs/operations/attachments.md)'),
  LLM_PDF_MODELS: list().describe('Models that accept PDFs'),
  LLM_AUDIO_MODELS: list().describe('Models that accept WAV and MP3'),
  LLM_MODEL_FIELDS: modelFields().describe(
    'JSON, [further fields](../../docs/operations/model-endpoints.md#what-a-request-has) by model',
  ),
  LLM_THINK_TAGS: list().transform(thinkTagModes).meta({
    description: '[`<think>` tags](../../docs/operations/model-endpoints.md#thinking-in-the-text): `on`, `open`, `off`',
    shownDefault: '`*=on`',
  }),
  LLM_CONTEXT_TOKENS: integer({ default: 32_000, min: 4_000, max: 10_000_000 }).describe(
    'Context window of the models',
  ),
  LLM_ANSWER_TOKENS: integer({ default: 4_096, min: 256, max: 1_000_000 }).describe('Maximum length of an answer'),
  LLM_TIMEOUT_MS: integer({ default: 60_000, min: 100, max: 300_000 }).describe('Timeout of silence of a model'),
  LLM_CALLS_PER_USER: integer({ default: 4, min: 1, max: 1_000 }).describe(
    'Parallel model requests per user and process; four times as many wait; ten times as many an address',
  ),
  LOCAL_MODEL_PACE_MS: integer({ default: 15, min: 0, max: 1_000 }).describe(
    'Pause of the built-in model before each word',
  ),
};

/** Turns, their queue, and how long runs and messages are stored. */
const runs = {
  TURN_TIMEOUT_SECONDS: integer({ default: 300, min: 10, max: 1_800 }).describe('Maximum duration of a turn'),
  TURN_STEPS: integer({ default: 8, min: 1, max: 100 }).describe('Model requests per turn with tools'),
  TURN_SAME_CALLS: integer({ default: 2, min: 1, max: 100 }).describe(
    'Runs of the same call in a turn, unless its tool has `sameCalls`',
  ),
  RUN_CONFLICT: choice(['interrupt', 'enqueue'], 'interrupt').describe(
    'A message during a run: `interrupt` it or `enqueue` behind it',
  ),
  RUN_QUEUE_PER_SESSION: integer({ default: 50, min: 1, max: 10_000 }).describe(
    'Maximum of waiting messages per session',
  ),
  RUN_QUEUE_PER_USER: integer({ default: 200, min: 1, max: 100_000 }).describe('Maximum of waiting messages per user'),
  RUN_RETENTION_HOURS: integer({ default: 24, min: 1, max: 720 }).describe('How long a stream can be resumed'),
  RUN_FRAMES_MINUTES: integer({ default: 15, min: 1, max: 1_440 }).describe(
    'How long single frames are stored after the answer',
  ),
  MESSAGE_RETENTION_DAYS: optionalInteger({ min: 1, max: 36_500 }).meta({
    description: 'Age at which messages are deleted; never without it',
    shownDefault: 'never',
  }),
  APPROVAL_TTL_HOURS: integer({ default: 72, min: 1, max: 720 }).describe(
    'How long a call waits for approval; then it is denied',
  ),
  MESSAGES_PER_USER_PER_DAY: integer({ default: 0, min: 0, max: 1_000_000 }).describe(
    'Messages per user and UTC day; 0: no limit; refused as `messages_per_day`',
  ),
  SESSIONS_PER_USER: integer({ default: 1_000, min: 1, max: 1_000_000 }).describe(
    'Sessions per user; those opened by programs are replaced, oldest first',
  ),
};

/** Tools of plugins and of the user's browser. */
const plugins = {
  NODE_ENV,
  FRONTEND_TOOL_TIMEOUT_MS: integer({ default: 15_000, min: 1_000, max: 120_000 }).describe(
    'Timeout of a browser tool call',
  ),
  TOOL_APPROVAL: list([])
    .refine(
      (items) => items.every((item) => /^[A-Za-z0-9_-]*\*?=(ask|free)$/.test(item)),
      'must be a list such as pay=ask,weather_*=free',
    )
    .describe('Approval by tool, over its own policy: `pay=ask,weather_*=free`; the first match counts'),
  PLUGIN_LIMITS: list([])
    .refine(
      (items) => items.every((item) => /^[a-z][a-z0-9-]*:(steps|sameCalls|seconds)=[1-9]\d{0,3}$/.test(item)),
      'must be a list such as mcp:steps=3,mcp:seconds=60,weather:sameCalls=5',
    )
    .describe("Limits of a plugin's tools per turn, over its own: `mcp:steps=3,mcp:seconds=60,weather:sameCalls=5`"),
  PLUGIN_ROLES: flag(false).describe(
    '`on`: [a login of Postgres](../../docs/operations/postgres.md#roles-for-plugins) for each plugin',
  ),
  PLUGIN_ROLES_PASSWORD: strongInProduction(printableText(), tokenWeakness).describe(
    'Password of these logins; required with `PLUGIN_ROLES=on`',
  ),
};

/** Database, Redis and storage limits. */
const stores = {
  DATA_DIR,
  ...storeVariables,
  STORAGE_BYTES_PER_TABLE: integer({
    default: 64 * 1024 * MEBIBYTE,
    min: 1,
    max: 64 * 1024 * 1024 * MEBIBYTE,
  }).describe('Bytes per table with indexes; 503 beyond'),
};

/** Logs, metrics and traces. */
const telemetry = {
  NODE_ENV,
  ...telemetryShape,
  OTEL_CAPTURE_CONTENT: flag(false).describe('Whether traces contain messages, tool arguments and results'),
};

/** The environment variables in groups, in the order in which the README lists them. */
export const settings = { http, identity, models, runs, plugins, stores, telemetry };

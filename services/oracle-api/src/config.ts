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

const schema = z.object({
  ...processShape({ port: 3001, rateLimitMax: 120 }),
  ...publicAddressShape,
  ...perAddressShape,
  ...storesShape('oracle-api'),
  /** What the agent calls itself. */
  ORACLE_NAME: text('Mlango'),
  ORACLE_DID: did(),
  ORACLE_ENTITY_DID: did(),
  ORACLE_MNEMONIC: strongInProduction(optionalText(), mnemonicWeakness, 'draw its words by chance'),
  ORACLE_SIGNING_SEED: strongInProduction(
    optionalText().refine(
      (value) => value === undefined || /^[0-9a-fA-F]{64}$/.test(value),
      'must be 64 hex characters',
    ),
    keyWeakness,
  ),
  UCAN_AUTH_MAX_TTL_SECONDS: integer({ default: 900, min: 60, max: 86_400 }),
  /** Whether a delegation alone authenticates: always, only where it covers the use of this oracle, or never. */
  UCAN_ALLOW_DELEGATION_AUTH: flagOr('covering', true),
  UCAN_RESOURCES: list(['ixo:oracle']).refine(
    (items) => items.length > 0 && items.every((item) => /^[^:\s]+:\S+$/.test(item)),
    'must name at least one resource, each a URI such as ixo:oracle',
  ),
  /** Where keys of did:ixo issuers are read: the chain's indexer, else the query gateway. */
  BLOCKSYNC_GRAPHQL_URL: url({ protocols: ['http:', 'https:'] }),
  PROTO_GATEWAY_URL: url({ protocols: ['http:', 'https:'] }),
  /** Tongues of other clients that are spoken beside our own protocol: all of them in development, none in production, unless it says. */
  DOORS: list().refine(
    (items) => items.every((item) => item === 'none' || isProtocolName(item)),
    `must be a list of ${protocolNames.join(', ')}, or none`,
  ),
  /** Whether users may make keys for scripts that cannot sign. */
  API_KEYS: flag(false),
  /** The description of the API at /docs, with its page. */
  DOCS: flag(true),
  CORS_ORIGIN: list(['*']).refine(
    (items) => items.join() === '*' || (items.length > 0 && items.every(isOrigin)),
    'must be *, or a comma-separated list of origins as browsers send them, such as https://app.example',
  ),
  /** Hosts that may be called in networks of one's own, where it is not the service itself that names whom to call. */
  PRIVATE_HOSTS: namedHosts(),
  /** Keys that seal what is stored, the first one active. */
  SEAL_KEYS: strongInProduction(optionalText(), sealKeysWeakness),
  /** How long the user's browser may take to answer a call of the model. */
  FRONTEND_TOOL_TIMEOUT_MS: integer({ default: 15_000, min: 1_000, max: 120_000 }),
  /** How long the stream of a run can be read again. */
  RUN_RETENTION_HOURS: integer({ default: 24, min: 1, max: 720 }),
  /** How long messages are kept; for ever unless it says. */
  MESSAGE_RETENTION_DAYS: optionalInteger({ min: 1, max: 36_500 }),
  /** How long its frames are kept once its answer is in the database. */
  RUN_FRAMES_MINUTES: integer({ default: 15, min: 1, max: 1_440 }),
  /** How long a call waits for its user to allow it; after that it counts as denied. */
  APPROVAL_TTL_HOURS: integer({ default: 72, min: 1, max: 720 }),
  /** Which tools ask their user first, whatever they say of themselves: `pay=ask,weather_*=free`. The first that fits counts. */
  TOOL_APPROVAL: list([]).refine(
    (items) => items.every((item) => /^[A-Za-z0-9_-]*\*?=(ask|free)$/.test(item)),
    'must be a list such as pay=ask,weather_*=free',
  ),
  /** What the tools of a plugin may take of a turn: `mcp:steps=3,mcp:seconds=60,weather:sameCalls=5`. */
  PLUGIN_LIMITS: list([]).refine(
    (items) => items.every((item) => /^[a-z][a-z0-9-]*:(steps|sameCalls|seconds)=[1-9]\d{0,3}$/.test(item)),
    'must be a list such as mcp:steps=3,mcp:seconds=60,weather:sameCalls=5',
  ),
  /** Whether each plugin with tables has a role of Postgres, with rights to these tables alone, and what the roles log in with. */
  PLUGIN_ROLES: flag(false),
  PLUGIN_ROLES_PASSWORD: strongInProduction(printableText(), tokenWeakness),
  /** How often a turn asks its model when it might call tools; after that it has to answer with what it has. */
  TURN_STEPS: integer({ default: 8, min: 1, max: 100 }),
  /** How often the very same call is made in a turn, unless its tool says so itself. */
  TURN_SAME_CALLS: integer({ default: 2, min: 1, max: 100 }),
  /** Longest time of a turn, from when it may run. */
  TURN_TIMEOUT_SECONDS: integer({ default: 300, min: 10, max: 1_800 }),
  /** What a message does to the turn that still runs in its session. */
  RUN_CONFLICT: choice(['interrupt', 'enqueue'], 'interrupt'),
  /** Messages that may wait for the run of their session, and of one user in all sessions. */
  RUN_QUEUE_PER_SESSION: integer({ default: 50, min: 1, max: 10_000 }),
  RUN_QUEUE_PER_USER: integer({ default: 200, min: 1, max: 100_000 }),
  /** Whose models `LLM_MODEL` and entries of `LLM_MODELS` without a provider are. */
  LLM_PROVIDER: choice(providerNames, 'openai-compatible'),
  /** The provider's address; without an endpoint the built-in model answers. */
  LLM_BASE_URL: url({ protocols: ['http:', 'https:'] }),
  LLM_API_KEY: printableText(),
  /** Keys of the other endpoints, by the name of the endpoint or of its provider. */
  LLM_API_KEYS: list().transform(apiKeys),
  /** Whether traces hold what was said, and what tools were given and gave. */
  OTEL_CAPTURE_CONTENT: flag(false),
  /** The model that answers unless a message asks for another. */
  LLM_MODEL: modelId(),
  /** All that a message may ask for: models of `LLM_PROVIDER`, and endpoints with their provider in the order in which they replace each other. */
  LLM_MODELS: list().refine((ids) => ids.every((id) => nameIn(id).length <= sendLimits.modelChars), modelIdProblem),
  /** Writes titles and summaries. */
  LLM_SMALL_MODEL: modelId(),
  /** Those of the models that accept images, PDFs, and WAV and MP3. */
  LLM_VISION_MODELS: list(),
  LLM_PDF_MODELS: list(),
  LLM_AUDIO_MODELS: list(),
  /** What the body of a request has beside what the service says itself, by model. */
  LLM_MODEL_FIELDS: modelFields(),
  /** Whether the text of a model starts with its thinking in tags, by model. */
  LLM_THINK_TAGS: list().transform(thinkTagModes),
  LLM_CONTEXT_TOKENS: integer({ default: 32_000, min: 4_000, max: 10_000_000 }),
  LLM_ANSWER_TOKENS: integer({ default: 4_096, min: 256, max: 1_000_000 }),
  /** How long a model may say nothing. */
  LLM_TIMEOUT_MS: integer({ default: 60_000, min: 100, max: 300_000 }),
  /** Requests of one user at the same time. */
  LLM_CALLS_PER_USER: integer({ default: 4, min: 1, max: 1_000 }),
  /** Messages of one user in a UTC day; 0 for no limit. */
  MESSAGES_PER_USER_PER_DAY: integer({ default: 0, min: 0, max: 1_000_000 }),
  /** Messages that are answered in a day for all users of one address together. */
  TURNS_PER_ADDRESS: integer({ default: 5_000, min: 1, max: 100_000_000 }),
  /** Bytes that requests of one address may store in a day, in rows of 16 KiB on average. */
  STORAGE_BYTES_PER_ADDRESS: integer({ default: 1024 * MEBIBYTE, min: 1, max: 1024 * 1024 * MEBIBYTE }),
  /** Bytes that one table may have; beyond that nothing more is stored in it. */
  STORAGE_BYTES_PER_TABLE: integer({ default: 64 * 1024 * MEBIBYTE, min: 1, max: 64 * 1024 * 1024 * MEBIBYTE }),
  /** Sockets of one address at one process, users that share it together; connections that are not a user's yet count too. */
  SOCKETS_PER_ADDRESS: integer({ default: 1_000, min: 1, max: 10_000 }),
  /** Sessions that one user may have at a time. */
  SESSIONS_PER_USER: integer({ default: 1_000, min: 1, max: 1_000_000 }),
  /** Pause of the built-in model before each word. */
  LOCAL_MODEL_PACE_MS: integer({ default: 15, min: 0, max: 1_000 }),
});

export type Config = z.output<typeof schema>;

/** Roles are of a server, and log in. */
const pluginRolesRule = (config: Config): EnvProblem[] =>
  (['DATABASE_URL', 'PLUGIN_ROLES_PASSWORD'] as const).flatMap((variable) =>
    config.PLUGIN_ROLES && config[variable] === undefined
      ? [{ variable, message: 'is required with PLUGIN_ROLES=on' }]
      : [],
  );

const rules = [embeddedStoresRule, databaseRule, redisCaRule, pluginRolesRule, ...identityRules, modelsRule];

/** The variables of this process. */
export function processEnvironment(): EnvSource {
  return process.env;
}

/** @throws {EnvError} naming every variable that is missing, malformed or unsafe. */
export function readConfig(source: EnvSource): Config {
  return readEnv(schema, source, rules);
}

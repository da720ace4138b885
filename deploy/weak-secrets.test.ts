import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readConfig as readPlayground } from '../packages/playground/src/config.js';
import { EnvError, readEnv } from '../packages/service-kit/src/env/index.js';
import { readConfig as readOracle } from '../services/oracle-api/src/config.js';
import { bundledPlugins } from '../services/oracle-api/src/plugins/host/bundled-plugins.js';
import { readConfig as readProto } from '../services/proto-gateway/src/config.js';
import { readConfig as readUssd } from '../services/ussd-gateway/src/config.js';

type Env = Readonly<Record<string, string>>;
type Read = (env: Readonly<Record<string, string | undefined>>) => unknown;

/** Another one for each name, and the same in each run. */
const strong = (name: string) => createHash('sha256').update(`strong ${name}`).digest('hex');
const isSecret = (name: string) => /(?:TOKEN|KEYS?|KEYS_OLD|SECRET|SEED|MNEMONIC|PASSWORD)$/.test(name);
/** Secrets issued by others and visible to their holders only, or values that are no secret, such as the name of a file. */
const notOurs = new Set([
  'LLM_API_KEY',
  'LLM_API_KEYS',
  'TRANSCRIPTION_API_KEY',
  'SUBSCRIPTION_API_KEY',
  'SLACK_BOT_TOKEN',
  'LIVEKIT_API_KEY',
  'GRPC_KEY',
  'GATEWAY_KEYS',
  'API_KEYS',
]);

const plugins = await bundledPlugins();
const readers: readonly (readonly [string, Read])[] = [
  ['ussd-gateway', readUssd],
  ['oracle-api', readOracle],
  ['proto-gateway', readProto],
  ['playground', readPlayground],
  ...plugins.flatMap(({ name, configSchema }) =>
    configSchema === undefined ? [] : [[`plugin ${name}`, (env: Env) => readEnv(configSchema, env)] as const],
  ),
];

/** The variables that are read. */
function asked(read: Read): string[] {
  const names = new Set<string>();
  try {
    read(new Proxy({}, { get: (_, name) => void names.add(String(name)) }));
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
  }
  return [...names].filter((name) => !name.endsWith('_FILE'));
}

const cases = readers.flatMap(([program, read]) =>
  asked(read)
    .filter((name) => isSecret(name) && !notOurs.has(name))
    .map((variable) => ({ program, read, variable })),
);

/** The other variables of a well-formed configuration; a program ignores those of others. */
const beside: Env = {
  NODE_ENV: 'production',
  ALLOW_EMBEDDED: 'true',
  ORACLE_DID: 'did:ixo:entity:jua',
  PIN_ENCRYPTION_KEY: strong('pin'),
  OPERATOR_TOKEN: strong('operator'),
  ORACLE_SIGNING_SEED: strong('seed'),
  SEAL_KEYS: strong('seal'),
  GATEWAY_AUTH: 'api-key',
  GATEWAY_API_KEYS: `wallet:${strong('wallet')}`,
  LIVEKIT_URL: 'wss://calls.example',
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: strong('livekit'),
  SLACK_SIGNING_SECRET: strong('slack').slice(32),
  SLACK_BOT_TOKEN: 'xoxb-1',
  PROTO_GATEWAY_URL: 'http://proto-gateway:3002',
  PRIVATE_HOSTS: 'proto-gateway',
  CREDITS: 'local',
  CREDITS_OPERATOR_TOKEN: strong('credits'),
  FEEDBACK_OPERATOR_TOKEN: strong('feedback'),
  MCP_SERVERS: '{"a":{"url":"http://a"}}',
};
const inForm = (variable: string, hex: string) => (variable === 'GATEWAY_API_KEYS' ? `wallet:${hex}` : hex);
const without = (variable: string): Env => (variable === 'ORACLE_MNEMONIC' ? { ORACLE_SIGNING_SEED: '' } : {});

describe('in production', () => {
  it('every program starts with strong secrets', () => {
    for (const [, read] of readers) expect(() => read(beside)).not.toThrow();
    expect(cases.length).toBeGreaterThan(20);
  });

  it.each(cases)('$program refuses a weak $variable, with its name and the reason', ({ read, variable }) => {
    const weak = { ...beside, ...without(variable), [variable]: inForm(variable, 'ab'.repeat(32)) };
    const reason = variable === 'ORACLE_MNEMONIC' ? 'fewer than 12 words' : 'is one block repeated';
    expect(() => read(weak)).toThrow(new RegExp(`^.*\\n  ${variable}: .*${reason}.*too weak for production: [^\\n]+$`));
    expect(() => read(weak)).not.toThrow('abab');
  });

  it.each(cases.filter(({ variable }) => variable !== 'ORACLE_MNEMONIC'))(
    '$program accepts the output of `openssl rand -hex 32` as $variable',
    ({ read, variable }) => {
      expect(() => read({ ...beside, [variable]: inForm(variable, strong('another')) })).not.toThrow();
    },
  );
});

import { randomBytes } from 'node:crypto';
import { EnvError } from '@mlango/service-kit/env';
import { signerFromSeed } from '@mlango/ucan-auth/minting';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { enabledProtocols } from '../src/protocols/names.js';

function problemsOf(source: Record<string, string>): string[] {
  try {
    readConfig(source);
    return [];
  } catch (error) {
    if (error instanceof EnvError) return error.problems.map(({ variable }) => variable);
    throw error;
  }
}

const seed = 'a1'.repeat(32);
const random = () => randomBytes(32);
const twelveWords = 'legal winner thank year wave sausage worth useful pudding drift slab maze';
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://u:p@db/oracle',
  REDIS_URL: 'redis://redis',
  ORACLE_DID: 'did:ixo:entity:jua',
  ORACLE_SIGNING_SEED: random().toString('hex'),
  SEAL_KEYS: `k1:${random().toString('base64')}`,
};

describe('the configuration', () => {
  it('has defaults for development', () => {
    expect(readConfig({})).toMatchObject({
      http: { PORT: 3001, HOST: '127.0.0.1', RATE_LIMIT_MAX: 120, CORS_ORIGIN: ['*'] },
      identity: {
        ORACLE_NAME: 'Mlango',
        UCAN_AUTH_MAX_TTL_SECONDS: 900,
        UCAN_ALLOW_DELEGATION_AUTH: true,
        UCAN_RESOURCES: ['ixo:oracle'],
      },
    });
  });

  it("accepts a rate limit above any program's rate", () => {
    expect(readConfig({ RATE_LIMIT_MAX: '1000000000' }).http.RATE_LIMIT_MAX).toBe(1e9);
  });

  it.each(['*', 'oracle', 'ixo:', 'ixo:oracle,a b:c'])('refuses a resource that no token can name: %s', (value) => {
    expect(problemsOf({ UCAN_RESOURCES: value })).toEqual(['UCAN_RESOURCES']);
  });

  it('enables the protocols of DOORS, by default all in development and none in production', () => {
    const openIn = (source: Record<string, string>) => enabledProtocols(readConfig(source).http);
    expect(openIn({})).toEqual(['openai', 'ai-sdk', 'mcp', 'ag-ui', 'a2a']);
    expect(openIn(production)).toEqual([]);
    expect(openIn({ ...production, DOORS: 'openai' })).toEqual(['openai']);
    expect(openIn({ DOORS: 'none' })).toEqual([]);
    expect(problemsOf({ DOORS: 'openai,back' })).toEqual(['DOORS']);
  });

  it('requires an identity and stores in production, and names each missing variable', () => {
    expect(problemsOf(production)).toEqual([]);
    expect(problemsOf({ NODE_ENV: 'production' }).toSorted()).toEqual([
      'DATABASE_URL',
      'ORACLE_DID',
      'ORACLE_SIGNING_SEED',
      'REDIS_URL',
      'SEAL_KEYS',
    ]);
    const { ORACLE_SIGNING_SEED: _, ...withoutSeed } = production;
    expect(problemsOf({ ...withoutSeed, ORACLE_MNEMONIC: twelveWords })).toEqual([]);
  });

  it('allows plugin roles only on a server, with a strong password in production', () => {
    const on = { PLUGIN_ROLES: 'on', PLUGIN_ROLES_PASSWORD: random().toString('hex') };
    expect(problemsOf({ ...production, ...on })).toEqual([]);
    expect(problemsOf({ PLUGIN_ROLES: 'on' })).toEqual(['DATABASE_URL', 'PLUGIN_ROLES_PASSWORD']);
    expect(problemsOf({ ...production, ...on, PLUGIN_ROLES_PASSWORD: 'secret' })).toEqual(['PLUGIN_ROLES_PASSWORD']);
    expect(problemsOf({ ...on, DATABASE_URL: production.DATABASE_URL, PLUGIN_ROLES_PASSWORD: 'é'.repeat(32) })).toEqual(
      ['PLUGIN_ROLES_PASSWORD'],
    );
  });

  it.each([
    ['ORACLE_SIGNING_SEED', '0'.repeat(64), 'is all zeros'],
    ['ORACLE_SIGNING_SEED', seed, 'is one block repeated'],
    ['SEAL_KEYS', seed, 'key 1 is one block repeated'],
    [
      'SEAL_KEYS',
      `k2:${random().toString('base64')},k1:${Buffer.alloc(32, 7).toString('base64')}`,
      'key 2 is one block',
    ],
    ['SEAL_KEYS', 'thirty-two characters of a key!!', 'key 1 is a passphrase'],
    ['ORACLE_MNEMONIC', twelveWords.split(' ').slice(1).join(' '), 'has fewer than 12 words'],
    ['METRICS_TOKEN', 'metrics-metrics-metrics', 'is one block repeated'],
  ])('accepts %s=%s in development, and refuses it in production', (variable, value, reason) => {
    const other = variable === 'ORACLE_MNEMONIC' ? { ORACLE_SIGNING_SEED: '' } : {};
    expect(problemsOf({ [variable]: value })).toEqual([]);
    expect(() => readConfig({ ...production, ...other, [variable]: value })).toThrow(`${variable}: ${reason}`);
  });

  it('reports a malformed sealing key in production once', () => {
    expect(problemsOf({ ...production, SEAL_KEYS: 'short' })).toEqual(['SEAL_KEYS']);
  });

  it('requires HTTPS for key sources in production, except for hosts of PRIVATE_HOSTS', () => {
    const plain = 'http://indexer:4000/graphql';
    expect(problemsOf({ ...production, BLOCKSYNC_GRAPHQL_URL: plain })).toEqual(['BLOCKSYNC_GRAPHQL_URL']);
    expect(problemsOf({ ...production, PROTO_GATEWAY_URL: 'http://gateway:3002' })).toEqual(['PROTO_GATEWAY_URL']);
    expect(problemsOf({ ...production, PROTO_GATEWAY_URL: 'https://gateway.example' })).toEqual([]);
    const named = { ...production, BLOCKSYNC_GRAPHQL_URL: plain, PROTO_GATEWAY_URL: 'http://gateway:3002' };
    expect(problemsOf({ ...named, PRIVATE_HOSTS: 'indexer:4000' })).toEqual([]);
    expect(problemsOf({ ...named, PRIVATE_HOSTS: 'indexer:4001' })).toEqual(['BLOCKSYNC_GRAPHQL_URL']);
    expect(problemsOf({ BLOCKSYNC_GRAPHQL_URL: plain })).toEqual([]);
  });

  it('reads which delegations authenticate', () => {
    const loginsOf = (value: string) =>
      readConfig({ UCAN_ALLOW_DELEGATION_AUTH: value }).identity.UCAN_ALLOW_DELEGATION_AUTH;
    expect(['true', 'covering', 'false', 'no'].map(loginsOf)).toEqual([true, 'covering', false, false]);
    expect(problemsOf({ UCAN_ALLOW_DELEGATION_AUTH: 'sometimes' })).toEqual(['UCAN_ALLOW_DELEGATION_AUTH']);
  });

  it('refuses malformed keys and DIDs', () => {
    expect(problemsOf({ ORACLE_SIGNING_SEED: 'abc' })).toEqual(['ORACLE_SIGNING_SEED']);
    expect(problemsOf({ ORACLE_DID: 'jua' })).toEqual(['ORACLE_DID']);
    expect(problemsOf({ ORACLE_SIGNING_SEED: seed, ORACLE_MNEMONIC: 'words' })).toEqual(['ORACLE_MNEMONIC']);
    const { did } = signerFromSeed(seed);
    expect(problemsOf({ ORACLE_SIGNING_SEED: seed, ORACLE_DID: did })).toEqual([]);
    expect(problemsOf({ ORACLE_SIGNING_SEED: 'b2'.repeat(32), ORACLE_DID: did })).toEqual(['ORACLE_DID']);
    expect(problemsOf({ ORACLE_MNEMONIC: 'words', ORACLE_DID: did })).toEqual(['ORACLE_DID']);
  });

  it('refuses to generate a key that it cannot store', () => {
    expect(problemsOf({ DATA_DIR: 'memory://' })).toEqual(['ORACLE_SIGNING_SEED']);
    expect(problemsOf({ DATA_DIR: 'memory://', ORACLE_SIGNING_SEED: seed })).toEqual([]);
  });

  it('accepts any origin, or named origins in the form of browsers', () => {
    expect(readConfig({ CORS_ORIGIN: 'https://app.example, http://127.0.0.1:3003' }).http.CORS_ORIGIN).toHaveLength(2);
    for (const CORS_ORIGIN of ['app.example', 'https://app.example/', 'https://app.example,*', ','])
      expect(problemsOf({ CORS_ORIGIN }), CORS_ORIGIN).toEqual(['CORS_ORIGIN']);
  });

  it('reads the key source of did:ixo issuers, over HTTP only', () => {
    const urls = {
      BLOCKSYNC_GRAPHQL_URL: 'https://indexer.example/graphql',
      PROTO_GATEWAY_URL: 'http://127.0.0.1:3002',
    };
    expect(readConfig(urls).identity).toMatchObject(urls);
    expect(problemsOf({ BLOCKSYNC_GRAPHQL_URL: 'indexer', PROTO_GATEWAY_URL: 'file:///x' })).toEqual(Object.keys(urls));
  });

  it('requires models and their endpoint together, and names missing variables', () => {
    const url = 'https://llm.example/v1';
    expect(problemsOf({ LLM_BASE_URL: url, LLM_MODEL: 'big', LLM_API_KEY: 'sk-1' })).toEqual([]);
    expect(problemsOf({ LLM_BASE_URL: url, LLM_MODELS: 'big,small', LLM_SMALL_MODEL: 'small' })).toEqual([]);
    expect(problemsOf({ LLM_BASE_URL: url })).toEqual(['LLM_MODEL']);
    expect(problemsOf({ LLM_BASE_URL: url, LLM_MODEL: 'big', LLM_VISION_MODELS: 'big,eye' })).toEqual([
      'LLM_VISION_MODELS',
    ]);
    const listening = { LLM_PDF_MODELS: 'eye', LLM_AUDIO_MODELS: 'ear' };
    expect(problemsOf({ LLM_BASE_URL: url, LLM_MODEL: 'big', ...listening })).toEqual(Object.keys(listening));
    const deepseek = { LLM_PROVIDER: 'deepseek', LLM_API_KEY: 'sk-1', LLM_MODEL: 'big' };
    expect(problemsOf({ ...deepseek, LLM_VISION_MODELS: 'big' })).toEqual([]);
    expect(problemsOf({ ...deepseek, LLM_PDF_MODELS: 'big', LLM_AUDIO_MODELS: 'big' })).toEqual(Object.keys(listening));
    for (const variable of ['LLM_API_KEY', 'LLM_MODEL', 'LLM_MODELS', 'LLM_SMALL_MODEL']) {
      expect(problemsOf({ [variable]: 'x' }), variable).toEqual(['LLM_BASE_URL']);
    }
    const model = { LLM_MODEL: 'big' };
    for (const bad of ['ftp://llm.example', 'https://u:p@llm.example', 'https://llm.example?key=1']) {
      expect(problemsOf({ ...model, LLM_BASE_URL: bad }), bad).toEqual(['LLM_BASE_URL']);
    }
    expect(problemsOf({ ...model, LLM_BASE_URL: url, LLM_API_KEY: 'two words' })).toEqual(['LLM_API_KEY']);
    expect(problemsOf({ ...model, LLM_BASE_URL: url, LLM_ANSWER_TOKENS: '20000' })).toEqual(['LLM_ANSWER_TOKENS']);
  });

  it('accepts providers by name, each with its required key and address', () => {
    const anthropic = { LLM_PROVIDER: 'anthropic', LLM_MODEL: 'claude' };
    expect(problemsOf({ ...anthropic, LLM_API_KEY: 'sk-1' })).toEqual([]);
    expect(problemsOf({ ...anthropic, LLM_API_KEYS: 'anthropic=sk-1' })).toEqual([]);
    expect(problemsOf(anthropic)).toEqual(['LLM_API_KEY']);
    expect(problemsOf({ LLM_PROVIDER: 'anthropic', LLM_API_KEY: 'sk-1' })).toEqual(['LLM_MODEL']);
    expect(problemsOf({ LLM_PROVIDER: 'clippy', LLM_MODEL: 'm' })).toEqual(['LLM_PROVIDER']);
    const azure = { LLM_PROVIDER: 'azure', LLM_MODEL: 'm', LLM_API_KEY: 'k' };
    expect(problemsOf(azure)).toEqual(['LLM_BASE_URL']);
    expect(problemsOf({ ...azure, LLM_BASE_URL: 'https://one.openai.azure.com/openai' })).toEqual([]);
  });

  it('accepts several endpoints by name, and names missing variables of one', () => {
    const both = 'main=mistral:mistral-large,own=openai-compatible:qwen3:8b@http://10.0.0.2:11434/v1';
    const keys = { LLM_API_KEYS: 'mistral=sk-1' };
    expect(problemsOf({ LLM_MODELS: both, ...keys })).toEqual([]);
    expect(problemsOf({ LLM_MODELS: both, LLM_MODEL: 'own', LLM_SMALL_MODEL: 'own', ...keys })).toEqual([]);
    expect(problemsOf({ LLM_MODELS: both })).toEqual(['LLM_API_KEYS']);
    expect(problemsOf({ LLM_MODELS: both, LLM_API_KEY: 'sk-1' })).toEqual(['LLM_API_KEYS']);
    expect(problemsOf({ LLM_MODELS: both, LLM_API_KEYS: 'mistral=sk-1,other=sk-2' })).toEqual(['LLM_API_KEYS']);
    expect(problemsOf({ LLM_MODELS: both, LLM_API_KEYS: 'sk-1' })).toContain('LLM_API_KEYS');
    expect(problemsOf({ LLM_MODELS: 'own=openai-compatible:qwen3' })).toEqual(['LLM_MODELS']);
    expect(problemsOf({ LLM_MODELS: 'own=clippy:m@https://llm.example' })).toContain('LLM_MODELS');
    expect(problemsOf({ LLM_MODELS: 'own=openai-compatible:m@https://u:p@llm.example' })).toEqual(['LLM_MODELS']);
    const bedrock = 'b=bedrock:m@https://bedrock-runtime.eu-central-1.amazonaws.com';
    const fields = { LLM_MODEL_FIELDS: '{"b":{"temperature":1}}', LLM_API_KEYS: 'b=k' };
    expect(problemsOf({ LLM_MODELS: bedrock, ...fields })).toEqual(['LLM_MODEL_FIELDS']);
  });

  it('reads the reasoning tags of each model', () => {
    const model = { LLM_BASE_URL: 'https://llm.example/v1', LLM_MODEL: 'r1' };
    expect(problemsOf({ ...model, LLM_THINK_TAGS: 'r1=open,*=off' })).toEqual([]);
    for (const bad of ['r1', 'r1=maybe', '=on', 'other=on']) {
      expect(problemsOf({ ...model, LLM_THINK_TAGS: bad }), bad).toEqual(['LLM_THINK_TAGS']);
    }
  });

  it('never contains a secret in its error messages', () => {
    const key = { LLM_API_KEY: 'sk f0f0', LLM_BASE_URL: 'https://u:f0f0@llm.example', LLM_MODEL: 'big' };
    expect(() => readConfig(key)).toThrow(/^(?!.*f0f0)/s);
    expect(() => readConfig({ ...key, LLM_API_KEY: 'sk' })).toThrow(/^(?!.*f0f0)/s);
    expect(() => readConfig({ LLM_MODELS: 'own=openai:m', LLM_API_KEYS: 'f0f0' })).toThrow(/^(?!.*f0f0)/s);
    expect(() => readConfig({ LLM_MODELS: 'own=openai:m', LLM_API_KEYS: 'x=f0f0' })).toThrow(/^(?!.*f0f0)/s);
    const secret = 'f0f0-not-hex';
    expect(() => readConfig({ ORACLE_SIGNING_SEED: secret })).toThrow(/^(?!.*f0f0)/s);
  });

  it('reads sealing keys with and without an id, and refuses malformed keys', () => {
    const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const good = [`a:${one.toString('base64')},b:${two.toString('base64')}`, one.toString('hex')];
    for (const keys of [...good, `${one.toString('hex')}, ${two.toString('base64')}`]) {
      expect(problemsOf({ SEAL_KEYS: keys }), keys).toEqual([]);
    }
    for (const keys of [
      'short',
      'a:short',
      `a:${one.toString('base64')},a:${two.toString('base64')}`,
      '0'.repeat(64),
    ]) {
      expect(problemsOf({ SEAL_KEYS: keys }), keys).toEqual(['SEAL_KEYS']);
    }
    const lost = { DATABASE_URL: 'postgres://u:p@db/oracle', DATA_DIR: 'memory://', ORACLE_SIGNING_SEED: seed };
    expect(problemsOf(lost)).toEqual(['SEAL_KEYS']);
  });
});

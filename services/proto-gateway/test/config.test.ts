import { EnvError } from '@mlango/service-kit/env';
import { describe, expect, it } from 'vitest';
import { readConfig, unknownSettings } from '../src/config.js';

function problemsOf(source: Record<string, string>): string[] {
  try {
    readConfig(source);
    return [];
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    return error.problems.map(({ variable, message }) => `${variable} ${message}`);
  }
}

describe('readConfig', () => {
  it('needs no variables', () => {
    expect(readConfig({})).toMatchObject({
      http: { PORT: 3002 },
      nodes: {
        GRPC_TARGETS: ['127.0.0.1:9090'],
        GRPC_DEADLINE_MS: 10_000,
        GRPC_MAX_RECEIVE_BYTES: 16_777_216,
        GRPC_CHANNEL: 'http2',
        GRPC_TLS: false,
      },
      catalog: {
        PROTO_PREFIX: 'proto',
        PROTO_LEGACY_PREFIXES: ['ixo'],
        PROTO_UNKNOWN_QUERY: 'warn',
        PROTO_INVALID_UTF8: 'replace',
        PROTO_MAX_PAGE_LIMIT: 1000,
      },
      access: { GATEWAY_AUTH: 'none', CORS_ORIGINS: [] },
      telemetry: { LOG_LEVEL: 'info' },
    });
  });

  it('has a default rate limit above a busy indexer’s', () => {
    expect(readConfig({ RATE_LIMIT_MAX: '1000000000' }).http.RATE_LIMIT_MAX).toBe(1e9);
  });

  it('shares replies only in a configured Redis', () => {
    expect(problemsOf({ PROTO_SHARED_CACHE_BYTES: '1000000' })).toEqual([
      expect.stringMatching(/^PROTO_SHARED_CACHE_BYTES needs REDIS_URL/),
    ]);
  });

  it('takes several nodes and prefixes, and none for no legacy prefix', () => {
    const config = readConfig({ GRPC_TARGETS: 'a.example:9090, [::1]:9091', PROTO_LEGACY_PREFIXES: 'ixo,chain' });
    expect(config.nodes.GRPC_TARGETS).toEqual(['a.example:9090', '[::1]:9091']);
    expect(config.catalog.PROTO_LEGACY_PREFIXES).toEqual(['ixo', 'chain']);
    expect(readConfig({ PROTO_LEGACY_PREFIXES: 'none' }).catalog.PROTO_LEGACY_PREFIXES).toEqual([]);
    expect(readConfig({ PROTO_PREFIX: 'ixo' }).catalog.PROTO_LEGACY_PREFIXES).toEqual([]);
    expect(readConfig({ PROTO_LEGACY_PREFIXES: 'ixo,proto,ixo' }).catalog.PROTO_LEGACY_PREFIXES).toEqual(['ixo']);
  });

  it('accepts the keys and the DID of access control', () => {
    const keys = `wallet:${'ab'.repeat(32)}`;
    expect(readConfig({ GATEWAY_AUTH: 'api-key', GATEWAY_API_KEYS: keys }).access.GATEWAY_API_KEYS).toBe(keys);
    expect(readConfig({ GATEWAY_AUTH: 'ucan', GATEWAY_DID: 'did:key:z6Mk' }).access).toMatchObject({
      GATEWAY_DID: 'did:key:z6Mk',
      UCAN_AUTH_MAX_TTL_SECONDS: 900,
      UCAN_SINGLE_USE: false,
    });
  });

  it('reports unknown variables with the prefixes of the service', () => {
    const source = {
      GRPC_TARGET: 'a:1',
      GRPC_TARGETS: 'a:1',
      GRPC_CA_FILE: 'a',
      PROTO_CACHE_TTL: '1',
      GRPC_TRACE: 'all',
      PATH: '',
    };
    expect(unknownSettings(source)).toEqual(['GRPC_TARGET', 'PROTO_CACHE_TTL']);
  });

  it.each([
    [{ GRPC_TLS: 'maybe' }, 'GRPC_TLS'],
    [{ GRPC_CHANNEL: 'fast' }, 'GRPC_CHANNEL'],
    [{ GRPC_CHANNEL: 'stock' }, 'GRPC_CHANNEL'],
    [{ PROTO_DISCOVERY: 'guess' }, 'PROTO_DISCOVERY'],
    [{ PROTO_LEGACY_ROUTES: 'some' }, 'PROTO_LEGACY_ROUTES'],
    [{ PROTO_CACHE_TTL_MS: '-1' }, 'PROTO_CACHE_TTL_MS'],
    [{ PROTO_PREFIX: 'health' }, 'PROTO_PREFIX'],
    [{ PROTO_PREFIX: 'a/b' }, 'PROTO_PREFIX'],
    [{ PROTO_LEGACY_PREFIXES: 'ixo,docs' }, 'PROTO_LEGACY_PREFIXES'],
    [{ GRPC_TARGETS: 'localhost' }, 'GRPC_TARGETS'],
    [{ GRPC_TARGETS: 'http://localhost:9090' }, 'GRPC_TARGETS'],
    [{ GRPC_TARGETS: 'node-1:9090,node-2:99999' }, 'GRPC_TARGETS'],
    [{ GRPC_TARGETS: 'node:0' }, 'GRPC_TARGETS'],
    [{ GRPC_TARGETS: 'a:1,a:1' }, 'GRPC_TARGETS'],
    [{ GRPC_TARGETS: 'a:1@9-5' }, 'GRPC_TARGETS'],
    [{ GRPC_TARGETS: 'a:1@1-99,b:1@100-200' }, 'GRPC_TARGETS'],
    [{ CORS_ORIGINS: '*' }, 'CORS_ORIGINS'],
    [{ CORS_ORIGINS: 'https://*.example' }, 'CORS_ORIGINS'],
    [{ CORS_ORIGINS: 'https://app.example/' }, 'CORS_ORIGINS'],
    [{ PROTO_MAX_PAGE_LIMIT: '0' }, 'PROTO_MAX_PAGE_LIMIT'],
    [{ PROTO_PERMANENT_HEADERS: 'user-agent,x-mine' }, 'PROTO_PERMANENT_HEADERS'],
    [{ PROTO_PERMANENT_HEADERS: 'authorization' }, 'PROTO_PERMANENT_HEADERS'],
    [{ PROTO_UNKNOWN_QUERY: 'maybe' }, 'PROTO_UNKNOWN_QUERY'],
    [{ PROTO_INVALID_UTF8: 'keep' }, 'PROTO_INVALID_UTF8'],
    [{ GATEWAY_AUTH: 'yes' }, 'GATEWAY_AUTH'],
    [{ GATEWAY_AUTH: 'api-key' }, 'GATEWAY_API_KEYS'],
    [{ GATEWAY_AUTH: 'api-key', GATEWAY_API_KEYS: 'wallet:secret' }, 'GATEWAY_API_KEYS'],
    [{ GATEWAY_API_KEYS: `wallet:${'ab'.repeat(32)}` }, 'GATEWAY_API_KEYS'],
    [{ GATEWAY_AUTH: 'ucan' }, 'GATEWAY_DID'],
    [{ GATEWAY_DID: 'did:key:z6Mk' }, 'GATEWAY_DID'],
    [{ GATEWAY_AUTH: 'ucan', GATEWAY_DID: 'did:key:z6Mk', UCAN_RESOURCE: 'ixo:*' }, 'UCAN_RESOURCE'],
  ])('refuses %j and names the variable', (source, variable) => {
    expect(problemsOf(source as Record<string, string>)).toEqual([expect.stringMatching(new RegExp(`^${variable} `))]);
  });
});

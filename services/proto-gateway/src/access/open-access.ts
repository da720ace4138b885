import { createHash, randomBytes } from 'node:crypto';
import type { SandboxValues } from '@mlango/service-kit/http-app';
import type { Logger } from '@mlango/service-kit/logging';
import type { RedisClient } from '@mlango/service-kit/redis';
import { type Allowance, createUcanAuth, type RevocationAllowances } from '@mlango/ucan-auth/auth';
import type { LookupPools } from '@mlango/ucan-auth/did-resolver';
import { createIxoDidResolver } from '@mlango/ucan-auth/ixo-did-resolver';
import { memoryReplayStore } from '@mlango/ucan-auth/memory-replay-store';
import { memoryRevocationStore } from '@mlango/ucan-auth/memory-revocation-store';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { redisReplayStore } from '@mlango/ucan-auth/redis-replay-store';
import { redisRevocationStore } from '@mlango/ucan-auth/redis-revocation-store';
import { ownerOf } from '@mlango/ucan-auth/resource-owner';
import { apiKeyGate, parseApiKeys } from './api-keys.js';
import type { Access } from './gate.js';
import { followKeyFile } from './key-file.js';
import type { ApiKey } from './key-plan.js';
import type { AccessSettings } from './settings.js';
import { QUERY_ABILITY, ucanGate } from './ucan-gate.js';

/** Prefix of the keys in a shared Redis. */
const KEY_PREFIX = 'proto-gateway:ucan';

export interface TokenAllowances {
  /** Key look-ups of one address. */
  readonly lookUps: Allowance;
  readonly revoking: RevocationAllowances;
  /** Shared capacity of key look-ups. */
  readonly pools: Pick<LookupPools, 'lookUps' | 'waiting'>;
}

export interface OpenAccess {
  /** `undefined` if access is open. */
  readonly access: Access | undefined;
  /** Credentials for the documentation page; not in production, nor for a resource with an owner. */
  readonly tryAs?: (() => Promise<SandboxValues>) | undefined;
  readonly close: () => Promise<void>;
}

/**
 * Builds the gate of the configuration. With Redis, revocations and used tokens hold for all replicas.
 *
 * @param allowances allowances of one address and of one issuer per minute
 */
export function openAccess(
  config: AccessSettings,
  redis: RedisClient | undefined,
  allowances: TokenAllowances,
  logger: Logger,
): OpenAccess {
  switch (config.GATEWAY_AUTH) {
    case 'none':
      return { access: undefined, close: async () => {} };
    case 'api-key': {
      const parsed = parseApiKeys(config.GATEWAY_API_KEYS ?? '');
      const listed = 'keys' in parsed ? parsed.keys : [];
      const file = config.GATEWAY_KEYS === undefined ? undefined : followKeyFile(config.GATEWAY_KEYS, logger);
      const tried = config.NODE_ENV === 'production' ? undefined : docsKey();
      const own = tried === undefined ? [] : [tried.entry];
      const gate = apiKeyGate(() => [...listed, ...(file?.current() ?? []), ...own], Date.now);
      const tryAs = tried && (async () => ({ locks: { apiKey: tried.key } }));
      return { access: { kind: 'api-key', gate }, tryAs, close: async () => file?.close() };
    }
    case 'ucan':
      return openUcanAccess(config, redis, allowances);
  }
}

/** A key for the lifetime of the process. */
function docsKey(): { readonly key: string; readonly entry: ApiKey } {
  const key = randomBytes(24).toString('base64url');
  return { key, entry: { name: 'tried-in-docs', digest: createHash('sha256').update(key).digest() } };
}

function openUcanAccess(
  config: AccessSettings,
  redis: RedisClient | undefined,
  allowances: TokenAllowances,
): OpenAccess {
  const did = config.GATEWAY_DID ?? '';
  const resource = config.UCAN_RESOURCE ?? did;
  const graphqlUrl = config.BLOCKSYNC_GRAPHQL_URL;
  const resolver = graphqlUrl === undefined ? undefined : createIxoDidResolver({ graphqlUrl, pools: allowances.pools });
  const auth = createUcanAuth({
    audiences: [did],
    maxTtlSeconds: config.UCAN_AUTH_MAX_TTL_SECONDS,
    resolvers: resolver === undefined ? [] : [resolver],
    ...allowances,
    revocations: redis === undefined ? memoryRevocationStore() : redisRevocationStore(redis, { prefix: KEY_PREFIX }),
    replays: redis === undefined ? memoryReplayStore() : redisReplayStore(redis, { prefix: KEY_PREFIX }),
  });
  const gate = ucanGate({ auth, resource, singleUse: config.UCAN_SINGLE_USE, nowMs: Date.now });
  return {
    access: { kind: 'ucan', gate, revocations: auth },
    tryAs:
      config.NODE_ENV === 'production' || ownerOf(resource) !== undefined ? undefined : () => docsToken(did, resource),
    close: async () => resolver?.close(),
  };
}

async function docsToken(audience: string, resource: string): Promise<SandboxValues> {
  const signer = signerFromSeed(randomBytes(32));
  const token = await mintInvocation({ signer, audience, capability: { can: QUERY_ABILITY, with: resource } });
  return { locks: { ucan: token, authType: 'ucan' } };
}

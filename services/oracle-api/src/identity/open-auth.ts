import { type Allowance, createUcanAuth, type RevocationAllowances, type UcanAuth } from '@mlango/ucan-auth/auth';
import { type LookupPools, lookupPools } from '@mlango/ucan-auth/did-resolver';
import { createIxoDidResolver, type IxoDidResolver } from '@mlango/ucan-auth/ixo-did-resolver';
import { postgresReplayStore } from '@mlango/ucan-auth/postgres-replay-store';
import { postgresRevocationStore } from '@mlango/ucan-auth/postgres-revocation-store';
import { redisReplayStore } from '@mlango/ucan-auth/redis-replay-store';
import { audiencesOf, type OracleIdentity } from './oracle-identity.js';

/** Token settings. */
export interface AuthSettings {
  readonly NODE_ENV: string;
  readonly UCAN_RESOURCES: readonly string[];
  readonly UCAN_AUTH_MAX_TTL_SECONDS: number;
  readonly UCAN_ALLOW_DELEGATION_AUTH: boolean | 'covering';
  readonly BLOCKSYNC_GRAPHQL_URL?: string | undefined;
  readonly PROTO_GATEWAY_URL?: string | undefined;
}

export interface AuthStores {
  readonly db: Parameters<typeof postgresRevocationStore>[0];
  readonly redis: Parameters<typeof redisReplayStore>[0] | undefined;
  /** Allowance of key look-ups per address. */
  readonly lookUps: Allowance;
  readonly revoking: RevocationAllowances;
  /** Shared capacity of key look-ups. */
  readonly pools?: Pick<LookupPools, 'lookUps' | 'waiting'>;
}

/**
 * The oracle's token check. Revocations are stored in the database, which every request needs anyway: they must survive a restart
 * of Redis, and requests must not fail without Redis. Used single-use tokens expire in minutes and go to Redis if configured.
 */
export function openAuth(
  settings: AuthSettings,
  oracle: OracleIdentity,
  { db, redis, lookUps, revoking, pools = lookupPools() }: AuthStores,
  log: { warn(fields: object, text: string): void },
): { auth: UcanAuth; close: () => Promise<void> } {
  if (settings.NODE_ENV === 'production' && settings.UCAN_ALLOW_DELEGATION_AUTH === true) {
    log.warn({ variable: 'UCAN_ALLOW_DELEGATION_AUTH' }, OPEN_LOGIN);
  }
  const resolver = issuerResolver(settings, pools);
  const auth = createUcanAuth({
    audiences: audiencesOf(oracle),
    resources: settings.UCAN_RESOURCES,
    maxTtlSeconds: settings.UCAN_AUTH_MAX_TTL_SECONDS,
    allowDelegationAuth: settings.UCAN_ALLOW_DELEGATION_AUTH,
    resolvers: resolver === undefined ? [] : [resolver],
    lookUps,
    revoking,
    revocations: postgresRevocationStore(db),
    replays: redis === undefined ? postgresReplayStore(db) : redisReplayStore(redis, { prefix: 'oracle-api:ucan' }),
  });
  return { auth, close: async () => resolver?.close() };
}

const OPEN_LOGIN =
  'every recipient of a delegation used as a proof can log in with it: set UCAN_ALLOW_DELEGATION_AUTH=covering, or false';

/** Reads keys of did:ixo issuers from the indexer, else from the query gateway. */
function issuerResolver(
  settings: AuthSettings,
  pools: Pick<LookupPools, 'lookUps' | 'waiting'>,
): IxoDidResolver | undefined {
  const { BLOCKSYNC_GRAPHQL_URL: graphqlUrl, PROTO_GATEWAY_URL: gatewayUrl } = settings;
  if (graphqlUrl !== undefined) return createIxoDidResolver({ graphqlUrl, pools });
  return gatewayUrl === undefined ? undefined : createIxoDidResolver({ gatewayUrl, pools });
}

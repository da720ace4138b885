import { type Allowance, createUcanAuth, type RevocationAllowances, type UcanAuth } from '@mlango/ucan-auth/auth';
import { type LookupPools, lookupPools } from '@mlango/ucan-auth/did-resolver';
import { createIxoDidResolver, type IxoDidResolver } from '@mlango/ucan-auth/ixo-did-resolver';
import { postgresReplayStore } from '@mlango/ucan-auth/postgres-replay-store';
import { postgresRevocationStore } from '@mlango/ucan-auth/postgres-revocation-store';
import { redisReplayStore } from '@mlango/ucan-auth/redis-replay-store';
import { audiencesOf, type OracleIdentity } from './oracle-identity.js';

/** What the configuration says of tokens. */
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
  /** Keys that may be looked up for one address. */
  readonly lookUps: Allowance;
  readonly revoking: RevocationAllowances;
  /** What look-ups of keys share. */
  readonly pools?: Pick<LookupPools, 'lookUps' | 'waiting'>;
}

/**
 * The oracle's token check. Revocations are kept in the database, which no request can do without anyway: they must
 * outlive a restart of Redis, and a request must not fail for its absence. Used single-use tokens are forgotten within
 * minutes, so they are in Redis where there is one.
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
  'whoever was given a delegation as a proof can log in with it: set UCAN_ALLOW_DELEGATION_AUTH=covering, or false';

/** Where keys of did:ixo issuers are read: from the indexer, which is made for it, else from the query gateway. */
function issuerResolver(
  settings: AuthSettings,
  pools: Pick<LookupPools, 'lookUps' | 'waiting'>,
): IxoDidResolver | undefined {
  const { BLOCKSYNC_GRAPHQL_URL: graphqlUrl, PROTO_GATEWAY_URL: gatewayUrl } = settings;
  if (graphqlUrl !== undefined) return createIxoDidResolver({ graphqlUrl, pools });
  return gatewayUrl === undefined ? undefined : createIxoDidResolver({ gatewayUrl, pools });
}

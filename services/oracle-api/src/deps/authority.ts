import type { Outbound } from '@mlango/outbound/outbound';
import type { Logger } from '@mlango/service-kit/logging';
import { createDownstream } from '@mlango/ucan-auth/downstream';
import { createServiceDids } from '@mlango/ucan-auth/service-did';
import type { IdentityConfig } from '../config.js';
import { Delegations } from '../identity/delegations.js';
import { sealKeyring } from '../identity/keys.js';
import { onBehalf } from '../identity/on-behalf.js';
import { openAuth } from '../identity/open-auth.js';
import { type OracleIdentity, oracleSigners } from '../identity/oracle-identity.js';
import type { AddressAllowances } from '../limits.js';
import type { SharedPools } from '../shared-pools.js';
import type { Closers, Stores } from './stores.js';

interface AuthorityParts {
  readonly oracle: OracleIdentity;
  readonly stores: Stores;
  readonly addresses: AddressAllowances;
  readonly pools: SharedPools;
  readonly outbound: Outbound;
  readonly logger: Logger;
}

/** Authentication of callers, and delegations for other services. */
export async function openAuthority(
  config: IdentityConfig,
  { oracle, stores, addresses, pools, outbound, logger }: AuthorityParts,
  closers: Closers,
) {
  const { database, redis, counts } = stores;
  const authStores = { db: database.db, redis: redis?.client, ...addresses };
  const { auth, close } = openAuth(config, oracle, { ...authStores, pools }, logger);
  closers.push(close);
  const keyring = await sealKeyring(config);
  const delegations = new Delegations({
    store: stores.delegations,
    auth,
    notices: counts,
    keyring,
    oracleDid: oracle.did,
    log: logger,
  });
  const services = createServiceDids({ isAllowedAddress: outbound.isAllowedAddress, pool: pools.serviceDids });
  closers.push(() => services.close());
  const signers = await oracleSigners(config, oracle);
  const downstream = createDownstream({ auth, signers, services });
  return {
    auth,
    signer: signers[0],
    keyring,
    delegations,
    services,
    onBehalf: onBehalf({ delegations, downstream, notices: counts }),
  };
}

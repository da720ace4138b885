import { mintInvocation, type UcanSigner } from '@mlango/ucan-auth/minting';
import type { OracleIdentity } from './oracle-identity.js';

/** What the oracle takes as a token. */
export interface TokenSettings {
  readonly UCAN_RESOURCES: readonly string[];
  readonly UCAN_AUTH_MAX_TTL_SECONDS: number;
}

/** A token by which a user may try the oracle, for as long as it accepts one. Not for production. */
export function developmentToken(config: TokenSettings, oracle: OracleIdentity, signer: UcanSigner): Promise<string> {
  return mintInvocation({
    signer,
    audience: oracle.did,
    capability: { can: '*', with: config.UCAN_RESOURCES[0] ?? 'ixo:oracle' },
    lifetimeSeconds: config.UCAN_AUTH_MAX_TTL_SECONDS,
  });
}

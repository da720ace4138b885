import { mintInvocation, signerFromMnemonic, signerFromSeed, type UcanSigner } from '@mlango/ucan-auth/minting';
import { storedSeed } from './keys.js';

/** What the configuration says of the oracle's identity. */
export interface IdentitySettings {
  readonly ORACLE_NAME: string;
  readonly ORACLE_DID?: string | undefined;
  readonly ORACLE_ENTITY_DID?: string | undefined;
  readonly ORACLE_MNEMONIC?: string | undefined;
  /** 64 hex characters. */
  readonly ORACLE_SIGNING_SEED?: string | undefined;
  readonly DATA_DIR: string;
}

/** Who this oracle is. */
export interface OracleIdentity {
  readonly name: string;
  readonly did: string;
  readonly entityDid: string;
}

/**
 * The oracle's identity as configured. In development a key that is missing is made once and kept in the data directory,
 * and a missing DID is the did:key of that key; production has been refused before this (see `config.ts`).
 */
export async function oracleIdentity(config: IdentitySettings): Promise<OracleIdentity> {
  const did = config.ORACLE_DID ?? (await oracleKey(config)).keyDid;
  return { name: config.ORACLE_NAME, did, entityDid: config.ORACLE_ENTITY_DID ?? did };
}

/** The signer of the user that development tokens speak for, kept beside the oracle's key. */
export async function developmentUser(config: Pick<IdentitySettings, 'DATA_DIR'>): Promise<UcanSigner> {
  return signerFromSeed(await storedSeed(config.DATA_DIR, 'development-user.seed'));
}

/** The DIDs a token for this oracle may be addressed to. */
export function audiencesOf({ did, entityDid }: OracleIdentity): [string, ...string[]] {
  return did === entityDid ? [did] : [did, entityDid];
}

/** The oracle's signers: one for each DID that users delegate to, all with the same key. */
export async function oracleSigners(
  config: IdentitySettings,
  identity: OracleIdentity,
): Promise<[UcanSigner, ...UcanSigner[]]> {
  const key = await oracleKey(config);
  const [did, ...others] = audiencesOf(identity);
  return [{ ...key, did }, ...others.map((other) => ({ ...key, did: other }))];
}

async function oracleKey(config: IdentitySettings): Promise<UcanSigner> {
  if (config.ORACLE_MNEMONIC !== undefined) return signerFromMnemonic(config.ORACLE_MNEMONIC);
  return signerFromSeed(config.ORACLE_SIGNING_SEED ?? (await storedSeed(config.DATA_DIR, 'oracle.seed')));
}

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

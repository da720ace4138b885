import { mintInvocation, signerFromMnemonic, signerFromSeed, type UcanSigner } from '@mlango/ucan-auth/minting';
import { storedSeed } from './keys.js';

/** Identity settings. */
export interface IdentitySettings {
  readonly ORACLE_NAME: string;
  readonly ORACLE_DID?: string | undefined;
  readonly ORACLE_ENTITY_DID?: string | undefined;
  readonly ORACLE_MNEMONIC?: string | undefined;
  /** 64 hex characters. */
  readonly ORACLE_SIGNING_SEED?: string | undefined;
  readonly DATA_DIR: string;
}

/** Name and DIDs of this oracle. */
export interface OracleIdentity {
  readonly name: string;
  readonly did: string;
  readonly entityDid: string;
}

/**
 * The configured identity. In development a missing key is generated and stored in the data directory, and a missing DID is the
 * did:key of that key; `identity-rules.ts` refuses both in production.
 */
export async function oracleIdentity(config: IdentitySettings): Promise<OracleIdentity> {
  const did = config.ORACLE_DID ?? (await oracleKey(config)).keyDid;
  return { name: config.ORACLE_NAME, did, entityDid: config.ORACLE_ENTITY_DID ?? did };
}

/** Signer of the user of development tokens, stored next to the oracle's key. */
export async function developmentUser(config: Pick<IdentitySettings, 'DATA_DIR'>): Promise<UcanSigner> {
  return signerFromSeed(await storedSeed(config.DATA_DIR, 'development-user.seed'));
}

/** DIDs that a token for this oracle may name as its audience. */
export function audiencesOf({ did, entityDid }: OracleIdentity): [string, ...string[]] {
  return did === entityDid ? [did] : [did, entityDid];
}

/** Signers of the oracle, one per DID, all with the same key. */
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

/** Rules for accepted tokens. */
export interface TokenSettings {
  readonly UCAN_RESOURCES: readonly string[];
  readonly UCAN_AUTH_MAX_TTL_SECONDS: number;
}

/** Mints a development token with the longest accepted lifetime. Not for production. */
export function developmentToken(config: TokenSettings, oracle: OracleIdentity, signer: UcanSigner): Promise<string> {
  return mintInvocation({
    signer,
    audience: oracle.did,
    capability: { can: '*', with: config.UCAN_RESOURCES[0] ?? 'ixo:oracle' },
    lifetimeSeconds: config.UCAN_AUTH_MAX_TTL_SECONDS,
  });
}

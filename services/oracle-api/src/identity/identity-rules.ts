import { KeyError } from '@mlango/crypto/keyring';
import type { EnvProblem } from '@mlango/service-kit/env';
import { httpsProblem } from '@mlango/service-kit/private-hosts';
import { signerFromMnemonic, signerFromSeed } from '@mlango/ucan-auth/minting';
import { readSealKeys } from './keys.js';

type IdentityConfig = Parameters<typeof httpsProblem>[2] & {
  readonly NODE_ENV: string;
  readonly DATA_DIR: string;
  readonly DATABASE_URL?: string | undefined;
  readonly ORACLE_DID?: string | undefined;
  readonly ORACLE_MNEMONIC?: string | undefined;
  readonly ORACLE_SIGNING_SEED?: string | undefined;
  readonly SEAL_KEYS?: string | undefined;
  readonly BLOCKSYNC_GRAPHQL_URL?: string | undefined;
  readonly PROTO_GATEWAY_URL?: string | undefined;
};

/** Rules for the oracle's identity, its keys, and the source of other DIDs' keys. */
export const identityRules = [ownKeyRule, matchingKeyRule, storedKeyRule, sealKeysRule, identityRootRule];

/** Production requires an explicit identity. */
function ownKeyRule(config: IdentityConfig): EnvProblem[] {
  const problems: EnvProblem[] = [];
  const hasKey = config.ORACLE_MNEMONIC !== undefined || config.ORACLE_SIGNING_SEED !== undefined;
  if (config.ORACLE_MNEMONIC !== undefined && config.ORACLE_SIGNING_SEED !== undefined) {
    problems.push({
      variable: 'ORACLE_MNEMONIC',
      message: 'give either ORACLE_MNEMONIC or ORACLE_SIGNING_SEED, not both',
    });
  }
  if (config.NODE_ENV !== 'production') return problems;
  if (config.ORACLE_DID === undefined) problems.push({ variable: 'ORACLE_DID', message: 'is required in production' });
  if (!hasKey) {
    problems.push({ variable: 'ORACLE_SIGNING_SEED', message: 'is required in production (or ORACLE_MNEMONIC)' });
  }
  return problems;
}

/** The configured did:key must match the signing key. */
function matchingKeyRule(config: IdentityConfig): EnvProblem[] {
  if (config.ORACLE_DID?.startsWith('did:key:') !== true) return [];
  const { ORACLE_MNEMONIC: mnemonic, ORACLE_SIGNING_SEED: seed } = config;
  const signer =
    mnemonic === undefined ? (seed === undefined ? undefined : signerFromSeed(seed)) : signerFromMnemonic(mnemonic);
  if (signer === undefined || signer.keyDid === config.ORACLE_DID) return [];
  return [{ variable: 'ORACLE_DID', message: 'is not the did:key of the signing key' }];
}

/** A generated key needs a data directory, or every start would create a new oracle. */
function storedKeyRule(config: IdentityConfig): EnvProblem[] {
  const { ORACLE_DID, ORACLE_MNEMONIC, ORACLE_SIGNING_SEED, DATA_DIR } = config;
  const isMadeUp = (ORACLE_DID ?? ORACLE_MNEMONIC ?? ORACLE_SIGNING_SEED) === undefined;
  if (!isMadeUp || !DATA_DIR.startsWith('memory://')) return [];
  return [{ variable: 'ORACLE_SIGNING_SEED', message: 'is required if DATA_DIR does not store data' }];
}

/** The source of did:ixo keys decides the identity of callers, so it needs TLS in production. */
function identityRootRule(config: IdentityConfig): EnvProblem[] {
  const variable = config.BLOCKSYNC_GRAPHQL_URL === undefined ? 'PROTO_GATEWAY_URL' : 'BLOCKSYNC_GRAPHQL_URL';
  return httpsProblem(variable, config[variable], config);
}

/** Sealed data must open after a restart, and production generates no key. */
function sealKeysRule(config: IdentityConfig): EnvProblem[] {
  const variable = 'SEAL_KEYS';
  if (config.SEAL_KEYS === undefined) {
    if (config.NODE_ENV === 'production') return [{ variable, message: 'is required in production' }];
    const isDiscarded = config.DATABASE_URL !== undefined && config.DATA_DIR.startsWith('memory://');
    return isDiscarded
      ? [{ variable, message: 'is required if DATA_DIR does not store data and DATABASE_URL does' }]
      : [];
  }
  try {
    readSealKeys(config.SEAL_KEYS);
    return [];
  } catch (error) {
    if (error instanceof KeyError) return [{ variable, message: error.message }];
    throw error;
  }
}

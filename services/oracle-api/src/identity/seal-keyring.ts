import { randomBytes } from 'node:crypto';
import { type Keyring, keyringFromSecrets, keyringOf, parseKeyring } from '@mlango/crypto/keyring';
import { keysWeakness } from '@mlango/service-kit/secrets';
import { keptSeed } from './seed-file.js';

/** What the configuration says of the keys that seal what is stored. */
export interface SealSettings {
  readonly SEAL_KEYS?: string | undefined;
  readonly DATA_DIR: string;
}

/**
 * The keys that seal what is stored. In development one is made once and kept in the data directory; where nothing is kept,
 * the key is not either.
 */
export async function sealKeyring({ SEAL_KEYS, DATA_DIR }: SealSettings): Promise<Keyring> {
  if (SEAL_KEYS !== undefined) return readSealKeys(SEAL_KEYS);
  const bytes = DATA_DIR.startsWith('memory://')
    ? randomBytes(32)
    : Buffer.from(await keptSeed(DATA_DIR, 'sealing.key'), 'hex');
  return keyringOf([{ id: 'development', bytes }]);
}

/**
 * Reads `<id>:<base64>,…`, or bare keys of 64 hex or 44 base64 characters, whose ids are made from them. The first is
 * active.
 * @throws KeyError
 */
export function readSealKeys(text: string): Keyring {
  if (text.includes(':')) return parseKeyring(text);
  const [current = '', ...earlier] = text.split(',').map((part) => part.trim());
  return keyringFromSecrets(current, earlier);
}

/** Why one of the keys that `readSealKeys` reads is easier to guess than 32 random bytes. */
export function sealKeysWeakness(text: string): string | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return keysWeakness(parts.map((part) => part.slice(part.indexOf(':') + 1)));
}

import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Keyring, keyringFromSecrets, keyringOf, parseKeyring } from '@mlango/crypto/keyring';
import { makeFolder } from '@mlango/service-kit/data-dir';
import { keysWeakness } from '@mlango/service-kit/secrets';

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
    : Buffer.from(await storedSeed(DATA_DIR, 'sealing.key'), 'hex');
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

const seedText = /^[0-9a-f]{64}$/;

/**
 * The seed kept in a file of this directory, 64 hex characters; made once if there is none, readable by its owner only.
 * Safe when two processes begin at the same time: both get the same seed.
 *
 * @throws Error when the file holds something else, or cannot be read or written.
 */
export async function storedSeed(directory: string, name: string): Promise<string> {
  const file = join(directory, name);
  const kept = await readSeed(file);
  if (kept !== undefined) return kept;
  makeFolder(directory);
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // A link appears whole or not at all, and never in the place of a file that is there.
    await link(draft, file).catch(unlessCode('EEXIST'));
  } finally {
    await rm(draft);
  }
  const seed = await readSeed(file);
  if (seed === undefined) throw new Error(`${file} was removed while it was made`);
  return seed;
}

async function readSeed(file: string): Promise<string | undefined> {
  const content = await readFile(file, 'utf8').catch(unlessCode('ENOENT'));
  if (content === undefined) return undefined;
  const seed = content.trim();
  if (!seedText.test(seed)) throw new Error(`${file} does not hold a seed of 64 hex characters`);
  return seed;
}

/** Swallows the error of that code, and throws every other. */
function unlessCode(code: string) {
  return (error: unknown): undefined => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  };
}

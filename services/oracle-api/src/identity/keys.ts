import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Keyring, keyringFromSecrets, keyringOf, parseKeyring } from '@mlango/crypto/keyring';
import { makeFolder } from '@mlango/service-kit/data-dir';
import { keysWeakness } from '@mlango/service-kit/secrets';

/** Settings of the sealing keys. */
export interface SealSettings {
  readonly SEAL_KEYS?: string | undefined;
  readonly DATA_DIR: string;
}

/**
 * The sealing keys. In development one is generated and stored in the data directory, or only in memory for `memory://`.
 */
export async function sealKeyring({ SEAL_KEYS, DATA_DIR }: SealSettings): Promise<Keyring> {
  if (SEAL_KEYS !== undefined) return readSealKeys(SEAL_KEYS);
  const bytes = DATA_DIR.startsWith('memory://')
    ? randomBytes(32)
    : Buffer.from(await storedSeed(DATA_DIR, 'sealing.key'), 'hex');
  return keyringOf([{ id: 'development', bytes }]);
}

/**
 * Parses `<id>:<base64>,…`, or keys of 64 hex or 44 base64 characters, which get derived ids. The first is active.
 * @throws KeyError
 */
export function readSealKeys(text: string): Keyring {
  if (text.includes(':')) return parseKeyring(text);
  const [current = '', ...earlier] = text.split(',').map((part) => part.trim());
  return keyringFromSecrets(current, earlier);
}

/** Reason if one of the keys is weaker than 32 random bytes. */
export function sealKeysWeakness(text: string): string | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return keysWeakness(parts.map((part) => part.slice(part.indexOf(':') + 1)));
}

const seedText = /^[0-9a-f]{64}$/;

/**
 * The seed in a file of this directory, 64 hex characters; generated if missing, readable by its owner only.
 * Two processes that start together get the same seed.
 *
 * @throws Error if the file has other content, or cannot be read or written.
 */
export async function storedSeed(directory: string, name: string): Promise<string> {
  const file = join(directory, name);
  const existing = await readSeed(file);
  if (existing !== undefined) return existing;
  makeFolder(directory);
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // `link` is atomic and never replaces an existing file.
    await link(draft, file).catch(unlessCode('EEXIST'));
  } finally {
    await rm(draft);
  }
  const seed = await readSeed(file);
  if (seed === undefined) throw new Error(`${file} was removed while it was created`);
  return seed;
}

async function readSeed(file: string): Promise<string | undefined> {
  const content = await readFile(file, 'utf8').catch(unlessCode('ENOENT'));
  if (content === undefined) return undefined;
  const seed = content.trim();
  if (!seedText.test(seed)) throw new Error(`${file} does not contain a seed of 64 hex characters`);
  return seed;
}

/** Ignores errors of that code and throws others. */
function unlessCode(code: string) {
  return (error: unknown): undefined => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  };
}

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Keyring, keyringFromSecrets } from '@mlango/crypto/keyring';
import { makeFolder } from '@mlango/service-kit/data-dir';
import type { Logger } from '@mlango/service-kit/logging';

const fileName = 'pin-encryption.key';

/**
 * Loads the keys that seal PINs. Without a configured key, which production refuses, a key is created once in the data folder.
 *
 * @throws {Error} if the key file cannot be read or written.
 */
export function loadPinKeys(options: {
  readonly configured: string | undefined;
  readonly earlier: readonly string[];
  readonly dataDir: string;
  readonly logger: Logger;
}): Keyring {
  if (options.configured !== undefined) return keyringFromSecrets(options.configured, options.earlier);
  // An in-memory database has no folder.
  if (options.dataDir.startsWith('memory://')) return keyringFromSecrets(freshKey(), options.earlier);
  const file = join(options.dataDir, fileName);
  options.logger.warn({ file }, 'PIN_ENCRYPTION_KEY is not set: using a key of this machine, for development only');
  return keyringFromSecrets(storedKey(file, options.dataDir), options.earlier);
}

function freshKey(): string {
  return randomBytes(32).toString('hex');
}

function storedKey(file: string, dataDir: string): string {
  makeFolder(dataDir);
  const made = freshKey();
  try {
    // Fails if the file exists: of two starting processes one creates the key, and both read it.
    writeFileSync(file, `${made}\n`, { flag: 'wx', mode: 0o600 });
    return made;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
    return readFileSync(file, 'utf8').trim();
  }
}

import { KeyDatabase } from './key-database.js';
import type { SigningKey } from './signing-key.js';

/**
 * The key of this origin, made by the browser and kept in its database; no script reads it. Undefined where the browser
 * has no Ed25519 or no database, as in some private windows.
 */
export async function openWebCryptoKey(name: string): Promise<SigningKey | undefined> {
  try {
    const database = new KeyDatabase(name);
    const pair = (await database.load()) ?? (await database.keep(await newPair()));
    const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
    return {
      publicKey,
      sign: async (message) =>
        new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, new Uint8Array(message))),
    };
  } catch {
    return undefined;
  }
}

export async function forgetWebCryptoKey(name: string): Promise<void> {
  await new KeyDatabase(name).forget().catch(() => undefined);
}

async function newPair(): Promise<CryptoKeyPair> {
  return (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair;
}

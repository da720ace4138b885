import { exportedKey } from './exported-key.js';
import { KeyDatabase } from './key-database.js';
import type { ExportedKey, SigningKey } from './signing-key.js';

/**
 * The key of this origin, made by the browser and kept in its database. No script reads it, unless it was made to be exported.
 * Undefined where the browser has no Ed25519 or no database, as in some private windows.
 */
export async function openWebCryptoKey(name: string, isExportable: boolean): Promise<SigningKey | undefined> {
  try {
    const database = new KeyDatabase(name);
    const pair = (await database.load()) ?? (await database.keep(await newPair(isExportable)));
    const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
    return {
      publicKey,
      sign: async (message) =>
        new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, new Uint8Array(message))),
      exportKey: async () => {
        if (!pair.privateKey.extractable) return undefined;
        // The seed is what the structure ends with: RFC 8410, section 7.
        const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey));
        return exportedKey(pkcs8.slice(-32), publicKey);
      },
    };
  } catch {
    return undefined;
  }
}

/** Keeps a key in the place of what is there. False where the browser has no Ed25519 or no database. */
export async function keepWebCryptoKey(name: string, key: ExportedKey, isExportable: boolean): Promise<boolean> {
  try {
    const { kty, crv, d, x } = key;
    const publicKey = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', true, ['verify']);
    const privateKey = await crypto.subtle.importKey('jwk', { kty, crv, d, x }, 'Ed25519', isExportable, ['sign']);
    await new KeyDatabase(name).replace({ privateKey, publicKey });
    return true;
  } catch {
    return false;
  }
}

export async function forgetWebCryptoKey(name: string): Promise<void> {
  await new KeyDatabase(name).forget().catch(() => undefined);
}

async function newPair(isExportable: boolean): Promise<CryptoKeyPair> {
  return (await crypto.subtle.generateKey('Ed25519', isExportable, ['sign', 'verify'])) as CryptoKeyPair;
}

import { exportedKey, type SigningKey } from './signing-key.js';

export type SeedStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const seedForm = /^[0-9a-f]{64}$/;

/** The key of a stored seed, in hex; created if there is none. */
export async function openStoredSeedKey(storage: SeedStorage, name: string): Promise<SigningKey> {
  // Most browsers have Ed25519 of their own and never load this.
  const { getPublicKeyAsync, signAsync } = await import('@noble/ed25519');
  const stored = storage.getItem(name);
  const seed = stored !== null && seedForm.test(stored) ? bytesOf(stored) : crypto.getRandomValues(new Uint8Array(32));
  storage.setItem(name, hexOf(seed));
  const publicKey = await getPublicKeyAsync(seed);
  return {
    publicKey,
    sign: (message) => signAsync(message, seed),
    exportKey: async () => exportedKey(seed, publicKey),
  };
}

/** Stores a seed, replacing the stored one. */
export function storeSeed(storage: SeedStorage, name: string, seed: Uint8Array): void {
  storage.setItem(name, hexOf(seed));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

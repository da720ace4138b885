import { constantTimeEqual } from '@mlango/crypto/equality';
import { hkdfSha256, sha3Mac } from '@mlango/crypto/hashing';
import type { Keyring } from '@mlango/crypto/keyring';
import { needsReseal, open, seal } from '@mlango/crypto/sealing';
import { ServiceError } from '@mlango/service-kit/errors';
import type { AccountStore } from './account-store.js';

/** Seals PINs for their customers and compares them. Plain PINs do not leave the vault. */
export interface PinVault {
  /** AES-256-GCM with a fresh nonce, bound to customer, field and key: the PIN of another row does not open. */
  seal(customerId: string, pin: string): string;
  /**
   * Whether the PIN equals the sealed one, in constant time.
   *
   * @throws {ServiceError} `internal` if the sealed PIN does not open: that is never a wrong PIN.
   */
  matches(customerId: string, sealedPin: string, pin: string): boolean;
  /**
   * The same PIN under the current key; undefined if it is already. @throws {ServiceError} as `matches`.
   */
  reseal(customerId: string, sealedPin: string): string | undefined;
  /** The counter of an unknown id: one of 65,536, which cannot be computed without the key. */
  decoyOf(customerId: string): string;
}

const purpose = 'ussd customer pin';

export function pinVault(keyring: Keyring): PinVault {
  const reveal = (customerId: string, sealedPin: string): Buffer => {
    const opened = open(sealedPin, keyring, { purpose, owner: customerId });
    if (opened.ok) return opened.plaintext;
    throw new ServiceError('internal', 'A PIN could not be opened', { cause: new Error(`sealed PIN: ${opened.code}`) });
  };
  const sealFor = (customerId: string, pin: string | Buffer) => seal(pin, keyring, { purpose, owner: customerId });
  const mac = sha3Mac(hkdfSha256(keyring.active.bytes, Buffer.alloc(0), 'mlango ussd decoy counts v1', 32));
  return {
    seal: sealFor,
    decoyOf: (customerId) => `nobody:${Buffer.from(mac(customerId), 'base64url').readUInt16BE(0)}`,
    matches: (customerId, sealedPin, pin) => constantTimeEqual(reveal(customerId, sealedPin), pin),
    reseal: (customerId, sealedPin) =>
      needsReseal(sealedPin, keyring) ? sealFor(customerId, reveal(customerId, sealedPin)) : undefined,
  };
}

export interface ResealReport {
  readonly pins: number;
  readonly resealed: number;
  /** Customers with a PIN that does not open with any key. */
  readonly unopened: readonly string[];
}

const partSize = 100;

/**
 * Seals every PIN under the current key. It can run repeatedly, also while the service runs: a PIN that changes
 * meanwhile is unchanged by it.
 */
export async function resealPins(store: AccountStore, vault: PinVault): Promise<ResealReport> {
  let pins = 0;
  let resealed = 0;
  const unopened: string[] = [];
  for (let after = ''; ; ) {
    const part = await store.listPins(after, partSize);
    const last = part.at(-1);
    if (last === undefined) return { pins, resealed, unopened };
    for (const { id, sealedPin } of part) {
      pins++;
      const fresh = tryReseal(vault, id, sealedPin);
      if (fresh === 'unopened') unopened.push(id);
      else if (fresh !== undefined && (await store.replacePin(id, sealedPin, fresh))) resealed++;
    }
    after = last.id;
  }
}

function tryReseal(vault: PinVault, id: string, sealedPin: string): string | undefined {
  try {
    return vault.reseal(id, sealedPin);
  } catch {
    return 'unopened';
  }
}

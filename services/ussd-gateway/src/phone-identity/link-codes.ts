import { hkdfSha256, sha3Mac } from '@mlango/crypto/hashing';
import type { Keyring } from '@mlango/crypto/keyring';
import { eightDigits } from '../accounts/random-codes.js';

/** Lifetime of a code. */
export const codeMinutes = 10;
/** Codes that a phone may type in an hour. */
export const typedCodes = { max: 5, windowMs: 3_600_000 };

/** 32 characters that are not mistaken for each other. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeLength = 10;
const codeDigits = 8;

export interface LinkCodes {
  /** A code shown on a phone: ten characters in two groups, 50 bits. The same key gives the same code. */
  ofPhone(key: string): string;
  /** A code to type on a keypad: eight digits. */
  ofPerson(randomBytes: (count: number) => Uint8Array): string;
  /** The stored MAC of a code in any spelling; undefined for an invalid code. */
  macOf(typed: string): string | undefined;
}

export function linkCodes(keyring: Keyring): LinkCodes {
  const keyed = (info: string) => sha3Mac(hkdfSha256(keyring.active.bytes, Buffer.alloc(0), info, 32));
  const [codeMac, storedMac] = [keyed('mlango ussd link code v1'), keyed('mlango ussd link code kept v1')];
  return {
    ofPhone: (key) => {
      const bytes = Buffer.from(codeMac(key), 'base64url').subarray(0, codeLength);
      const code = Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('');
      return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
    },
    ofPerson: eightDigits,
    macOf: (typed) => {
      const code = typed.replaceAll(/[\s-]/g, '').toUpperCase();
      const isCode = new RegExp(`^(?:[${alphabet}]{${codeLength}}|[0-9]{${codeDigits}})$`).test(code);
      return isCode ? storedMac(code) : undefined;
    },
  };
}

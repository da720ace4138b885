import { hkdfSha256, sha3Mac } from '@mlango/crypto/hashing';
import type { Keyring } from '@mlango/crypto/keyring';
import { eightDigits } from '../accounts/random-codes.js';

/** How long a code lasts. */
export const codeMinutes = 10;

/** 32 signs that are not taken for each other. */
const signs = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeSigns = 10;
const codeDigits = 8;

export interface LinkCodes {
  /** A code of a phone, ten signs in two groups, 50 bits: the same for the same key. */
  ofPhone(key: string): string;
  /** A code that is typed on a keypad: eight digits. */
  ofPerson(randomBytes: (count: number) => Uint8Array): string;
  /** What is kept of a code, however it is typed; undefined for what is none. */
  macOf(typed: string): string | undefined;
}

export function linkCodes(keyring: Keyring): LinkCodes {
  const keyed = (info: string) => sha3Mac(hkdfSha256(keyring.active.bytes, Buffer.alloc(0), info, 32));
  const [make, keep] = [keyed('mlango ussd link code v1'), keyed('mlango ussd link code kept v1')];
  return {
    ofPhone: (key) => {
      const bytes = Buffer.from(make(key), 'base64url').subarray(0, codeSigns);
      const code = Array.from(bytes, (byte) => signs[byte % signs.length]).join('');
      return `${code.slice(0, codeSigns / 2)}-${code.slice(codeSigns / 2)}`;
    },
    ofPerson: eightDigits,
    macOf: (typed) => {
      const code = typed.replaceAll(/[\s-]/g, '').toUpperCase();
      const isCode = new RegExp(`^(?:[${signs}]{${codeSigns}}|[0-9]{${codeDigits}})$`).test(code);
      return isCode ? keep(code) : undefined;
    },
  };
}

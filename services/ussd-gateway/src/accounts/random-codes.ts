/** How many codes there are. */
const codes = 100_000_000;

/** The largest multiple of it in 32 bits: numbers from there on are drawn again, so that each code is as likely. */
const fair = Math.floor(2 ** 32 / codes) * codes;

/**
 * A one-time code of eight digits.
 *
 * @param randomBytes gives as many as it is asked for.
 */
export function eightDigits(randomBytes: (count: number) => Uint8Array): string {
  for (;;) {
    const drawn = Buffer.from(randomBytes(4)).readUInt32BE(0);
    if (drawn < fair) return String(drawn % codes).padStart(8, '0');
  }
}

/** 32 characters, none of them taken for another: no I, L, O and U. */
const idAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const randomChars = 8;

/** A Customer ID: `C` and 8 characters of 5 random bits each. @param randomBytes gives as many as it is asked for. */
export function freshCustomerId(randomBytes: (count: number) => Uint8Array): string {
  return `C${Array.from(randomBytes(randomChars), (byte) => idAlphabet[byte % idAlphabet.length]).join('')}`;
}

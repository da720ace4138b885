/** The number of codes. */
const codes = 100_000_000;

/** The largest multiple of `codes` in 32 bits: larger numbers are drawn again, so that all codes are equally likely. */
const limit = Math.floor(2 ** 32 / codes) * codes;

/**
 * A one-time code of eight digits. @param randomBytes a source of random bytes.
 */
export function eightDigits(randomBytes: (count: number) => Uint8Array): string {
  for (;;) {
    const drawn = Buffer.from(randomBytes(4)).readUInt32BE(0);
    if (drawn < limit) return String(drawn % codes).padStart(8, '0');
  }
}

/** 32 characters that are not mistaken for each other: no I, L, O and U. */
const idAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const randomChars = 8;

/**
 * A Customer ID: `C` and 8 characters of 5 random bits each. @param randomBytes a source of random bytes.
 */
export function freshCustomerId(randomBytes: (count: number) => Uint8Array): string {
  return `C${Array.from(randomBytes(randomChars), (byte) => idAlphabet[byte % idAlphabet.length]).join('')}`;
}

/** 32 characters, none of them taken for another: no I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const randomChars = 8;

/** A Customer ID: `C` and 8 characters of 5 random bits each. @param randomBytes gives as many as it is asked for. */
export function freshCustomerId(randomBytes: (count: number) => Uint8Array): string {
  return `C${Array.from(randomBytes(randomChars), (byte) => alphabet[byte % alphabet.length]).join('')}`;
}

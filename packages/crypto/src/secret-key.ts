/** Length of every symmetric key here: AES-256. */
const KEY_BYTES = 32;

export type KeyProblem = 'wrong_form' | 'all_zero' | 'no_keys' | 'bad_key_id' | 'duplicate_key_id' | 'duplicate_key';

/** A key or a keyring that cannot be used. The message never contains key material. */
export class KeyError extends Error {
  readonly problem: KeyProblem;

  constructor(problem: KeyProblem, message: string) {
    super(message);
    this.name = 'KeyError';
    this.problem = problem;
  }
}

const ZERO_TEXT = 'a key of zeros is not a key';
const ZEROS = /^0+$/;
const HEX = /^[0-9a-fA-F]{64}$/;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;
const BASE64URL = /^[A-Za-z0-9_-]{43}=?$/;

/**
 * Reads one 32-byte key written as 64 hex characters, 44 characters of base64, or 32 raw characters (each one byte).
 * @throws KeyError `wrong_form` for other text, `all_zero` for the zero key.
 */
export function parseSecretKey(text: string): Buffer {
  const key = bytesOf(text);
  if (key === undefined || key.length !== KEY_BYTES) {
    throw new KeyError('wrong_form', 'a key is 64 hex characters, 44 characters of base64, or 32 raw characters');
  }
  if (ZEROS.test(text)) throw new KeyError('all_zero', ZERO_TEXT);
  return refuseZero(key);
}

/**
 * Reads one 32-byte key in base64 or base64url.
 * @throws KeyError
 */
export function parseBase64Key(text: string): Buffer {
  if (!BASE64.test(text) && !BASE64URL.test(text)) {
    throw new KeyError('wrong_form', 'a key is 32 bytes in base64');
  }
  return refuseZero(Buffer.from(text, 'base64'));
}

function bytesOf(text: string): Buffer | undefined {
  if (HEX.test(text)) return Buffer.from(text, 'hex');
  if (BASE64.test(text)) return Buffer.from(text, 'base64');
  return text.length === KEY_BYTES ? Buffer.from(text, 'utf8') : undefined;
}

function refuseZero(key: Buffer): Buffer {
  if (key.every((byte) => byte === 0)) throw new KeyError('all_zero', ZERO_TEXT);
  return key;
}

import { sha256Hex } from './hashing.js';
import { KeyError, parseBase64Key, parseSecretKey } from './secret-key.js';

export { KeyError, type KeyProblem, parseSecretKey } from './secret-key.js';

export interface NamedKey {
  /** 1 to 32 characters of `A-Z a-z 0-9 _ -`. Public: stored with the sealed data. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

/** The keys of one purpose: the active one seals, all of them open. */
export interface Keyring {
  readonly active: NamedKey;
  /** The active key first. */
  readonly all: readonly NamedKey[];
  find(id: string): NamedKey | undefined;
}

const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;

/**
 * Reads `kid:base64,kid:base64,…`; the first is active. Spaces around the parts are allowed.
 * @throws KeyError when the list is empty, a part is malformed, or an id or a key appears twice.
 */
export function parseKeyring(text: string): Keyring {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return keyringOf(parts.map(parseNamedKey));
}

/**
 * A keyring from bare keys (64 hex, 44 base64 or 32 raw characters each): the current one and earlier ones, for opening
 * only. Key ids are derived from the keys, so that a rotation needs no new names.
 * @throws KeyError
 */
export function keyringFromSecrets(current: string, earlier: readonly string[] = []): Keyring {
  return keyringOf([current, ...earlier].map((text) => nameByFingerprint(parseSecretKey(text))));
}

/**
 * A keyring of these keys, with the first as the active one.
 * @throws KeyError
 */
export function keyringOf(keys: readonly NamedKey[]): Keyring {
  const [active] = keys;
  if (active === undefined) throw new KeyError('no_keys', 'a keyring needs at least one key');
  const byId = new Map<string, NamedKey>();
  const seen = new Set<string>();
  for (const key of keys) {
    const digest = sha256Hex(key.bytes);
    if (byId.has(key.id)) throw new KeyError('duplicate_key_id', `key id ${key.id} appears twice`);
    if (seen.has(digest)) throw new KeyError('duplicate_key', `key ${key.id} is the same key as another one`);
    byId.set(key.id, key);
    seen.add(digest);
  }
  return { active, all: [...keys], find: (id) => byId.get(id) };
}

function parseNamedKey(part: string): NamedKey {
  const colon = part.indexOf(':');
  const id = part.slice(0, Math.max(colon, 0));
  if (!KEY_ID.test(id)) {
    throw new KeyError('bad_key_id', 'each key is <id>:<base64>, its id 1 to 32 letters, digits, _ or -');
  }
  return { id, bytes: parseBase64Key(part.slice(colon + 1)) };
}

function nameByFingerprint(bytes: Uint8Array): NamedKey {
  return { id: sha256Hex(Buffer.concat([Buffer.from('mlango key id\0'), bytes])).slice(0, 12), bytes };
}

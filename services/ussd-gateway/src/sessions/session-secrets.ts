import { randomFillSync } from 'node:crypto';
import { hkdfSha256, sha3Mac } from '@mlango/crypto/hashing';
import type { Keyring } from '@mlango/crypto/keyring';
import { open, seal } from '@mlango/crypto/sealing';
import type { SessionKey } from './session-store.js';

/** MACs and sealed secrets of sessions. */
export interface SessionSecrets {
  /** The key for MACs of new sessions. */
  readonly activeKeyId: string;
  /** Creates keyed MACs of texts, bound to one session; undefined if the key is no longer configured. */
  macOf(key: SessionKey, keyId: string): ((text: string) => string) | undefined;
  /** A new value for every dial, also with the same session id. */
  freshNonce(): string;
  /** Seals a text for one session. */
  seal(key: SessionKey, secret: string): string;
  /** Undefined if it was sealed for another session, or with a key that is no longer configured. */
  open(key: SessionKey, sealed: string): string | undefined;
}

/** 132 bits: MACs cannot be guessed online, and marks stay short. */
const macChars = 22;

/** MACs instead of digests: a digest of a text that ends in a 5-digit PIN is reversed by 100,000 guesses. */
export function sessionSecrets(keyring: Keyring): SessionSecrets {
  const macs = new Map<string, (text: string) => string>();
  const contextOf = (key: SessionKey) => ({ purpose: 'ussd pending secret', owner: ownerOf(key) });
  return {
    activeKeyId: keyring.active.id,
    macOf: (key, keyId) => {
      const bytes = keyring.find(keyId)?.bytes;
      if (bytes === undefined) return undefined;
      const mac = macs.get(keyId) ?? sha3Mac(hkdfSha256(bytes, Buffer.alloc(0), 'mlango ussd text mac v3', 32));
      macs.set(keyId, mac);
      const owner = `${ownerOf(key)}\n`;
      return (text) => mac(owner + text).slice(0, macChars);
    },
    freshNonce: randomId,
    seal: (key, secret) => seal(secret, keyring, contextOf(key)),
    open: (key, sealed) => {
      const opened = open(sealed, keyring, contextOf(key));
      return opened.ok ? opened.plaintext.toString('utf8') : undefined;
    },
  };
}

/** Identifiers contain no line break, so that the parts are unambiguous. */
function ownerOf({ aggregator, phoneNumber, sessionId }: SessionKey): string {
  return `${aggregator}\n${phoneNumber}\n${sessionId}`;
}

const idBytes = 16;

/** A buffer of random bytes: small requests cost ten times as much. */
const pool = Buffer.alloc(128 * idBytes);
let used = pool.length;

/**
 * 128 random bits as 22 characters of base64url. One flat string, since sessions store it; `randomUUID` of Node returns a rope of sixteen
 * parts.
 */
export function randomId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return pool.toString('base64url', used - idBytes, used);
}

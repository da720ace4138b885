import { randomFillSync } from 'node:crypto';
import { hkdfSha256, sha3Mac } from '@mlango/crypto/hashing';
import type { Keyring } from '@mlango/crypto/keyring';
import { open, seal } from '@mlango/crypto/sealing';
import type { SessionKey } from './session-store.js';

/** What a session keeps that nobody may read or make up. */
export interface SessionSecrets {
  /** The key for MACs of sessions that begin now. */
  readonly activeKeyId: string;
  /** Makes keyed MACs of texts, bound to one session; undefined if the key is no longer configured. */
  macOf(key: SessionKey, keyId: string): ((text: string) => string) | undefined;
  /** Differs for every dial, also of the same session id. */
  freshNonce(): string;
  /** Text that only the same session can open again. */
  seal(key: SessionKey, secret: string): string;
  /** Undefined if it was sealed for another session, or with a key that is not configured any more. */
  open(key: SessionKey, sealed: string): string | undefined;
}

/** 132 bits: nobody can try MACs here without the key, and the mark of each text stays short. */
const macChars = 22;

/** A plain digest of a text that ends in a 5-digit PIN is reversed by 100,000 guesses; a MAC needs the key. */
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

/** No identifier may hold a line break, so the parts cannot run into each other. */
function ownerOf({ aggregator, phoneNumber, sessionId }: SessionKey): string {
  return `${aggregator}\n${phoneNumber}\n${sessionId}`;
}

const idBytes = 16;

/** Random bytes in stock: asking for so few at a time costs ten times as much. */
const stock = Buffer.alloc(128 * idBytes);
let used = stock.length;

/**
 * 128 random bits as 22 characters of base64url: a name that nobody else has or can guess. One text in one piece, for sessions keep them;
 * Node's `randomUUID` gives one that is put together of sixteen, and stays so.
 */
export function randomId(): string {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  used += idBytes;
  return stock.toString('base64url', used - idBytes, used);
}

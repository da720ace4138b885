import { hkdfSha256, hmacSha256 } from '@mlango/crypto/hashing';
import type { Keyring } from '@mlango/crypto/keyring';
import type { SessionKey } from './session-store.js';

/** Makes keyed MACs of texts, each bound to one session. */
export interface TextMacs {
  /** The key for sessions that begin now. */
  readonly activeKeyId: string;
  /** The MAC under a key, or undefined if it is no longer configured. */
  forSession(key: SessionKey, keyId: string): ((text: string) => string) | undefined;
}

/** 128 bits: nobody can try MACs here without the key, and the mark of each text stays short. */
const macBytes = 16;

/** A plain digest of a text that ends in a 5-digit PIN is reversed by 100,000 guesses; this one needs the key. */
export function textMacs(keyring: Keyring): TextMacs {
  const macKeys = new Map<string, Buffer>();
  const macKeyOf = (keyId: string): Buffer | undefined => {
    const known = macKeys.get(keyId);
    const key = known ?? keyring.find(keyId)?.bytes;
    if (key === undefined) return undefined;
    const macKey = known ?? hkdfSha256(key, Buffer.alloc(0), 'mlango ussd text mac v1', 32);
    macKeys.set(keyId, macKey);
    return macKey;
  };
  return {
    activeKeyId: keyring.active.id,
    forSession: ({ phoneNumber, sessionId }, keyId) => {
      const macKey = macKeyOf(keyId);
      if (macKey === undefined) return undefined;
      // Neither identifier may hold a line break, so the parts cannot run into each other.
      return (text) => {
        const mac = hmacSha256(macKey, `${phoneNumber}\n${sessionId}\n${text}`);
        return mac.toString('base64url', 0, macBytes);
      };
    },
  };
}

import { hkdfSha256, sha3Mac } from '@mlango/crypto/hashing';
import type { Keyring } from '@mlango/crypto/keyring';
import type { SessionKey } from './session-store.js';

/** Makes keyed MACs of texts, each bound to one session. */
export interface TextMacs {
  /** The key for sessions that begin now. */
  readonly activeKeyId: string;
  /** The MAC under a key, or undefined if it is no longer configured. */
  forSession(key: SessionKey, keyId: string): ((text: string) => string) | undefined;
}

/** 132 bits: nobody can try MACs here without the key, and the mark of each text stays short. */
const macChars = 22;

/** A plain digest of a text that ends in a 5-digit PIN is reversed by 100,000 guesses; this one needs the key. */
export function textMacs(keyring: Keyring): TextMacs {
  const macs = new Map<string, (text: string) => string>();
  const macUnder = (keyId: string): ((text: string) => string) | undefined => {
    const known = macs.get(keyId);
    if (known !== undefined) return known;
    const key = keyring.find(keyId)?.bytes;
    if (key === undefined) return undefined;
    const mac = sha3Mac(hkdfSha256(key, Buffer.alloc(0), 'mlango ussd text mac v3', 32));
    macs.set(keyId, mac);
    return mac;
  };
  return {
    activeKeyId: keyring.active.id,
    forSession: ({ aggregator, phoneNumber, sessionId }, keyId) => {
      const mac = macUnder(keyId);
      if (mac === undefined) return undefined;
      // No identifier may hold a line break, so the parts cannot run into each other.
      return (text) => mac(`${aggregator}\n${phoneNumber}\n${sessionId}\n${text}`).slice(0, macChars);
    },
  };
}

import { randomUUID } from 'node:crypto';
import type { Keyring } from '@mlango/crypto/keyring';
import { open, seal } from '@mlango/crypto/sealing';
import type { SessionKey } from './session-store.js';

/** Keeps the one secret that waits between two hops, and names dials apart. */
export interface SessionSecrets {
  /** Differs for every dial, also of the same session id. */
  freshNonce(): string;
  /** Text that only the same session can open again. */
  seal(key: SessionKey, secret: string): string;
  /** Undefined if it was sealed for another session, or with a key that is not configured any more. */
  open(key: SessionKey, sealed: string): string | undefined;
}

export function sessionSecrets(keyring: Keyring): SessionSecrets {
  // No identifier may hold a line break, so the parts cannot run into each other.
  const contextOf = ({ aggregator, phoneNumber, sessionId }: SessionKey) => ({
    purpose: 'ussd pending secret',
    owner: `${aggregator}\n${phoneNumber}\n${sessionId}`,
  });
  return {
    // Node makes these from random bytes it keeps in stock; asking for so few at every dial costs ten times as much.
    freshNonce: () => randomUUID(),
    seal: (key, secret) => seal(secret, keyring, contextOf(key)),
    open: (key, sealed) => {
      const opened = open(sealed, keyring, contextOf(key));
      return opened.ok ? opened.plaintext.toString('utf8') : undefined;
    },
  };
}

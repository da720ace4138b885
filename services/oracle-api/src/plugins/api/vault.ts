import type { Keyring } from '@mlango/crypto/keyring';
import { open, seal } from '@mlango/crypto/sealing';

/**
 * Seals what a plugin keeps and nobody else may read. What it has sealed opens with the words it was sealed with only, and for
 * no other plugin and no other oracle.
 */
export interface Vault {
  /** One line of text. `whose` says what the secret belongs to, such as a user and the id of a row. */
  seal(secret: string, whose: string): string;
  /** Undefined for what this vault has not sealed for `whose`, or under a key that was taken out of `SEAL_KEYS`. */
  open(sealed: string, whose: string): string | undefined;
}

/** The vault of one plugin. */
export function vaultOf(keyring: Keyring, oracleDid: string, plugin: string): Vault {
  const contextOf = (whose: string) => ({ purpose: `plugin ${plugin}`, owner: whose, audience: oracleDid });
  return {
    seal: (secret, whose) => seal(secret, keyring, contextOf(whose)),
    open: (sealed, whose) => {
      const opened = open(sealed, keyring, contextOf(whose));
      return opened.ok ? opened.plaintext.toString('utf8') : undefined;
    },
  };
}

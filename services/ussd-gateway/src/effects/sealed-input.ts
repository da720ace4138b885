import { hkdfSha256, sha3Mac } from '@mlango/crypto/hashing';
import type { Keyring } from '@mlango/crypto/keyring';
import { open, seal } from '@mlango/crypto/sealing';
import { z } from 'zod';
import { named } from '../engine/position.js';
import type { EffectRequest, NewEffect } from './effect.js';

const effectInput = z.object({
  language: z.string(),
  account: z.string().optional(),
  entries: named,
  with: named,
  secret: z.string().optional(),
});
/** Input of an effect, without its owner and name. */
export type EffectInput = Pick<EffectRequest, 'language' | 'account' | 'entries' | 'with' | 'secret'>;

/** Seals inputs, which may contain a PIN, until their effect ends: each opens only with the key of its effect. */
export interface InputSeal {
  seal(key: string, input: EffectInput): Pick<NewEffect, 'sealedInput' | 'inputDigest'>;
  /** @throws {Error} if it was sealed for another effect, or with a key that is no longer configured. */
  open(key: string, sealed: string): EffectInput;
}

export function inputSeal(keyring: Keyring): InputSeal {
  const digest = sha3Mac(hkdfSha256(keyring.active.bytes, Buffer.alloc(0), 'mlango ussd effect input v1', 32));
  const contextOf = (key: string) => ({ purpose: 'ussd effect input', owner: key });
  return {
    seal: (key, input) => {
      const text = JSON.stringify(input);
      return { sealedInput: seal(text, keyring, contextOf(key)), inputDigest: digest(text) };
    },
    open: (key, sealed) => {
      const opened = open(sealed, keyring, contextOf(key));
      if (!opened.ok) throw new Error(`the input of an effect does not open: ${opened.code}`);
      const { account, secret, ...input } = effectInput.parse(JSON.parse(opened.plaintext.toString('utf8')));
      return { ...input, account, secret };
    },
  };
}

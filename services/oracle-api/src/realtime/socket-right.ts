import type { Caller } from '@mlango/ucan-auth/auth-outcome';
import { z } from 'zod';
import { isOwnSignature } from '../identity/own-signature.js';

/** What lets a socket stay: the proof of identity that it showed last. */
export const socketRight = z.object({
  /** When that stops being good, in ms since the epoch. */
  expiresAtMs: z.number(),
  /** The UCANs that it rests on: it ends when one of them is taken back by an issuer of one of them. */
  path: z.array(z.object({ cid: z.string(), issuer: z.string() })),
  /** Whether it is an invocation that the user's own key signed, without proofs. */
  isOwnSignature: z.boolean().optional(),
});
export type SocketRight = z.infer<typeof socketRight>;

/** One UCAN that was taken back, and who did it. */
export type TakenBack = SocketRight['path'][number];

export function rightOf(caller: Pick<Caller, 'validUntil' | 'path' | 'via' | 'actor'>): SocketRight {
  const { validUntil, path } = caller;
  return { expiresAtMs: validUntil * 1000, path: [...path], isOwnSignature: isOwnSignature(caller) };
}

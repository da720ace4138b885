import type { Caller } from '@mlango/ucan-auth/auth-outcome';
import { z } from 'zod';

/** What lets a socket stay: the proof of identity that it showed last. */
export const socketRight = z.object({
  /** When that stops being good, in ms since the epoch. */
  expiresAtMs: z.number(),
  /** The UCANs that it rests on: it ends when one of them is taken back by an issuer of one of them. */
  path: z.array(z.object({ cid: z.string(), issuer: z.string() })),
});
export type SocketRight = z.infer<typeof socketRight>;

/** One UCAN that was taken back, and who did it. */
export type TakenBack = SocketRight['path'][number];

export function rightOf({ validUntil, path }: Pick<Caller, 'validUntil' | 'path'>): SocketRight {
  return { expiresAtMs: validUntil * 1000, path: [...path] };
}

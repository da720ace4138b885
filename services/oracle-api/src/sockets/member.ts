import { createHash } from 'node:crypto';
import type { Caller } from '@mlango/ucan-auth/auth-outcome';
import { z } from 'zod';
import { isOwnSignature } from '../identity/route-rights.js';

/** Digests of presented tokens; requests and sockets of one tab share at least one. Tokens are not stored. */
export function credentialsOf(...tokens: readonly unknown[]): string[] {
  return tokens.flatMap((token) => {
    const text = typeof token === 'string' ? token.trim() : '';
    return text === '' ? [] : [createHash('sha256').update(text).digest('base64url')];
  });
}

/** Token fields of a socket's auth object, not yet checked. */
export function tokensInAuth(auth: unknown): unknown[] {
  if (typeof auth !== 'object' || auth === null) return [];
  const { invocation, ucanDelegation }: { invocation?: unknown; ucanDelegation?: unknown } = auth;
  return [invocation, ucanDelegation];
}

/** The last verified proof of a socket, and its expiry. */
export const socketRight = z.object({
  /** Expiry, in ms since the epoch. */
  expiresAtMs: z.number(),
  /** The proof's UCANs; a revocation of one by an issuer of one ends the right. */
  path: z.array(z.object({ cid: z.string(), issuer: z.string() })),
  /** The proof is an invocation signed by the user's own key, without proofs. */
  isOwnSignature: z.boolean().optional(),
});
export type SocketRight = z.infer<typeof socketRight>;

/** Lets a client resume a closed connection without a new token, as the same socket. */
export const recoveryTicket = z.object({
  id: z.string(),
  did: z.string(),
  /** The delegate, if the user did not connect themself. */
  actor: z.string().optional(),
  sessionId: z.string(),
  /** Digests of the presented tokens; they match a message of the same tab. */
  credentials: z.array(z.string()),
  joinedAtMs: z.number(),
  right: socketRight,
});
export type RecoveryTicket = z.infer<typeof recoveryTicket>;

/**
 * Tickets by a secret that only the client has. An open socket renews its ticket, so the ticket outlives the connection, and this
 * process, for a limited time.
 *
 * Atomicity: `take` succeeds once. Failure: an unavailable store rejects.
 */
export interface RecoveryTickets {
  save(secret: string, ticket: RecoveryTicket, ttlMs: number): Promise<void>;
  find(secret: string): Promise<RecoveryTicket | undefined>;
  take(secret: string): Promise<RecoveryTicket | undefined>;
  drop(secret: string): Promise<void>;
}

/** A revoked UCAN and its revoking issuer. */
export type RevokedUcan = SocketRight['path'][number];

export function rightOf(caller: Pick<Caller, 'validUntil' | 'path' | 'via' | 'actor'>): SocketRight {
  const { validUntil, path } = caller;
  return { expiresAtMs: validUntil * 1000, path: [...path], isOwnSignature: isOwnSignature(caller) };
}

/** An event for sockets with its JSON, serialised once for all recipients. */
export interface Frame {
  readonly event: string;
  readonly data: unknown;
  /** `{"event":…,"data":…}` */
  readonly text: string;
}

export function frameOf(event: string, data: unknown): Frame {
  return { event, data, text: JSON.stringify({ event, data }) };
}

/**
 * Why this process closes a socket. `bad_frame` and `flood`: protocol violation; `stalled`: the client does not read; `replaced`:
 * resumed over a new connection; `expired`, `revoked`: its token.
 */
export type CloseReason =
  | 'session_deleted'
  | 'shutdown'
  | 'bad_frame'
  | 'flood'
  | 'stalled'
  | 'replaced'
  | 'expired'
  | 'revoked';

/** Verified user of a socket. The `id` is unique across replicas; a recovered connection keeps it. */
export interface MemberIdentity extends Readonly<RecoveryTicket> {
  /** The client's `addressKey`, which is charged for key look-ups. */
  readonly address: string;
}

/** A connected socket in the room of its session. */
export interface Member extends MemberIdentity {
  /** A renewal changes both. */
  credentials: string[];
  right: SocketRight;
  /** `offset` is the frame's position in the room, for recovery. Never throws. */
  send(frame: Frame, offset?: string): void;
  close(reason: CloseReason): void;
}

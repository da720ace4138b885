import { createHash } from 'node:crypto';
import type { Caller } from '@mlango/ucan-auth/auth-outcome';
import { z } from 'zod';
import { isOwnSignature } from '../identity/route-rights.js';

/** Digests of the tokens that a socket or a request shows; those of one tab have one in common. Tokens are never kept. */
export function credentialsOf(...tokens: readonly unknown[]): string[] {
  return tokens.flatMap((token) => {
    const text = typeof token === 'string' ? token.trim() : '';
    return text === '' ? [] : [createHash('sha256').update(text).digest('base64url')];
  });
}

/** What stands in the auth object of a socket where tokens should. */
export function tokensInAuth(auth: unknown): unknown[] {
  if (typeof auth !== 'object' || auth === null) return [];
  const { invocation, ucanDelegation }: { invocation?: unknown; ucanDelegation?: unknown } = auth;
  return [invocation, ucanDelegation];
}

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

/** What lets a client that lost its connection come back without a fresh token: as the socket that it was, nobody else. */
export const recoveryTicket = z.object({
  id: z.string(),
  did: z.string(),
  /** Who converses for that DID, where that is somebody else. */
  actor: z.string().optional(),
  sessionId: z.string(),
  /** Digests of the tokens that it showed, by which a message of the same tab is known. */
  credentials: z.array(z.string()),
  joinedAtMs: z.number(),
  right: socketRight,
});
export type RecoveryTicket = z.infer<typeof recoveryTicket>;

/**
 * Tickets by a secret that only the client has. They are kept while the socket is open, by renewing them, so that they are
 * good for a bounded time after it was lost, also when this process was.
 *
 * Atomicity: a ticket is taken once, whoever tries at the same time.
 * Failure: a store that cannot be reached rejects.
 */
export interface RecoveryTickets {
  save(secret: string, ticket: RecoveryTicket, ttlMs: number): Promise<void>;
  find(secret: string): Promise<RecoveryTicket | undefined>;
  take(secret: string): Promise<RecoveryTicket | undefined>;
  drop(secret: string): Promise<void>;
}

/** One UCAN that was taken back, and who did it. */
export type RevokedUcan = SocketRight['path'][number];

export function rightOf(caller: Pick<Caller, 'validUntil' | 'path' | 'via' | 'actor'>): SocketRight {
  const { validUntil, path } = caller;
  return { expiresAtMs: validUntil * 1000, path: [...path], isOwnSignature: isOwnSignature(caller) };
}

/** One event for a client's socket, and its JSON, made once for all who get it. */
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
 * Why a socket is closed from here: the session was deleted, the process stops, the client breaks the rules (`bad_frame`,
 * `flood`), does not read (`stalled`), or has come back over a new connection (`replaced`); or what it showed has expired
 * or was taken back (`expired`, `revoked`).
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

/**
 * Who is at the other end of a socket, as its handshake has proved, and for how long that holds. The `id` is unique among all sockets
 * of all replicas, and the same again for a connection that was recovered.
 */
export interface MemberIdentity extends Readonly<RecoveryTicket> {
  /** The `addressKey` of where it came from, at whose cost keys are looked up. */
  readonly address: string;
}

/** A connected socket in the room of its session. */
export interface Member extends MemberIdentity {
  /** Both change when it shows something fresh. */
  credentials: string[];
  right: SocketRight;
  /** `offset` names the frame's place in the room, for those that can be recovered. Never throws. */
  send(frame: Frame, offset?: string): void;
  close(reason: CloseReason): void;
}

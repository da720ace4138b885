import { z } from 'zod';
import { socketRight } from './socket-right.js';

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
  keep(secret: string, ticket: RecoveryTicket, ttlMs: number): Promise<void>;
  find(secret: string): Promise<RecoveryTicket | undefined>;
  take(secret: string): Promise<RecoveryTicket | undefined>;
  drop(secret: string): Promise<void>;
}

import type { Frame } from './frame.js';
import type { RecoveryTicket } from './recovery-tickets.js';
import type { SocketRight } from './socket-right.js';

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

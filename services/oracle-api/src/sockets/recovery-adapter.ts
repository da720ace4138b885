import { Adapter, type Session } from 'socket.io-adapter';
import type { Realtime } from '../realtime/realtime.js';

/**
 * Socket.IO's own memory of connections, replaced by the hub's, which is bounded and shared by all replicas. A connection
 * counts as recovered only where all that it missed is still there; who may have it is decided by the middleware, and what
 * was missed is sent after that.
 */
export function recoveryAdapter(realtime: Realtime): typeof Adapter {
  return class RecoveryAdapter extends Adapter {
    /** The hub keeps a ticket for each connection while it is open. */
    override persistSession(): void {}

    // The base class declares a session for every case; none is what it returns itself.
    override async restoreSession(secret: string, offset: string): Promise<Session> {
      const ticket = await realtime.tickets.find(secret);
      const place = ticket && { ownerDid: ticket.did, sessionId: ticket.sessionId };
      const isAllThere = place !== undefined && realtime.hub.missed(place, ticket?.id ?? '', offset) !== undefined;
      if (ticket === undefined || !isAllThere) throw new Error('this connection cannot be recovered');
      return { sid: ticket.id, pid: secret, rooms: [], data: {}, missedPackets: [] };
    }
  };
}

import type { CallRecord, CallTicket } from '@mlango/schemas/oracle-calls';
import type { Vault } from '../api/plugin-storage.js';
import type { Call, OpenCall } from './call-store.js';
import type { MediaServer, Side } from './media-server.js';

/** Converts a call to its reply. */
export function callReply(call: Call): CallRecord {
  const { callId, sessionId, kind, createdAt, expiresAt, startedAt, end, participants } = call;
  return {
    callId,
    sessionId,
    kind,
    status: statusOf(call),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...(startedAt === undefined ? {} : { startedAt: startedAt.toISOString() }),
    ...(end === undefined ? {} : { endedAt: end.at.toISOString(), endReason: end.reason }),
    participants: participants.map(({ identity, joinedAt, leftAt }) => ({
      identity,
      joinedAt: joinedAt.toISOString(),
      ...(leftAt === undefined ? {} : { leftAt: leftAt.toISOString() }),
    })),
  };
}

function statusOf({ end, startedAt }: Call): CallRecord['status'] {
  if (end !== undefined) return 'ended';
  return startedAt === undefined ? 'open' : 'active';
}

export interface TicketParts {
  readonly media: MediaServer;
  readonly vault: Vault;
  readonly now: () => Date;
}

/** Creates the ticket for one side of an open call. Rejects if the call's key was sealed under a key that was removed. */
export async function ticketFor(side: Side, call: OpenCall, { media, vault, now }: TicketParts): Promise<CallTicket> {
  const e2eeKey = vault.open(call.sealedKey, keyOwner(call.ownerDid, call.callId));
  if (e2eeKey === undefined) throw new Error('the key of the call cannot be decrypted');
  const { tokenExpiresAt, ...admission } = await media.admit(call, side, now());
  return {
    ...callReply(call),
    ...admission,
    url: media.url,
    tokenExpiresAt: tokenExpiresAt.toISOString(),
    e2eeKey,
  };
}

/** Binds a sealed key to its owner and call: copied to another call, it does not open. */
export function keyOwner(ownerDid: string, callId: string): string {
  return `${ownerDid} ${callId}`;
}

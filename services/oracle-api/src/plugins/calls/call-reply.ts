import type { CallRecord, CallTicket } from '@mlango/schemas/oracle-calls';
import type { Vault } from '../api/plugin-storage.js';
import type { Call, OpenCall } from './call-store.js';
import type { MediaServer, Side } from './media-server.js';

/** A call on the wire. */
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

/** What one side needs to join an open call. Rejects when the call's key was sealed under one that is gone. */
export async function ticketFor(side: Side, call: OpenCall, { media, vault, now }: TicketParts): Promise<CallTicket> {
  const e2eeKey = vault.open(call.sealedKey, whoseKey(call.ownerDid, call.callId));
  if (e2eeKey === undefined) throw new Error('the key of the call does not open');
  const { tokenExpiresAt, ...admission } = await media.admit(call, side, now());
  return {
    ...callReply(call),
    ...admission,
    url: media.url,
    tokenExpiresAt: tokenExpiresAt.toISOString(),
    e2eeKey,
  };
}

/** A key copied to another call, or to a call of somebody else, does not open. */
export function whoseKey(ownerDid: string, callId: string): string {
  return `${ownerDid} ${callId}`;
}

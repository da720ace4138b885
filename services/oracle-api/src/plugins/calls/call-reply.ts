import type { CallRecord } from '@mlango/schemas/oracle-calls';
import type { Call } from './call-store.js';

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

import type { SessionRecord } from '@mlango/schemas/oracle-sessions';
import { untitled } from '../agent/after/title.js';
import type { OracleIdentity } from '../identity/oracle-identity.js';
import type { StoredSession } from '../store/conversation-store.js';

/** A session as clients read it. */
export function sessionReply(session: StoredSession, oracle: OracleIdentity): SessionRecord {
  return {
    sessionId: session.sessionId,
    title: session.title ?? untitled,
    createdAt: session.createdAt.toISOString(),
    lastUpdatedAt: session.lastUpdatedAt.toISOString(),
    oracleName: oracle.name,
    oracleDid: oracle.did,
    oracleEntityDid: oracle.entityDid,
    roomId: session.roomId,
    archivedAt: session.archivedAt?.toISOString(),
  };
}

import { and, eq, isNull } from 'drizzle-orm';
import { runs } from './schema.js';

export const idColumn = { runId: runs.runId };

/** Who and what a run is about. */
export const startColumns = {
  runId: runs.runId,
  ownerDid: runs.ownerDid,
  sessionId: runs.sessionId,
  requestId: runs.requestId,
};

export const recordColumns = { ...startColumns, status: runs.status, createdAt: runs.createdAt };

/** The runs of a session that have not ended. */
export function liveIn(ownerDid: string, sessionId: string) {
  return and(eq(runs.ownerDid, ownerDid), eq(runs.sessionId, sessionId), isNull(runs.endedAt));
}

import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { RunStart } from '../../runs/log/store.js';
import { fromNow, type OracleDatabase, storableJson, withoutNulls } from '../../store/database.js';
import type { CallRecords } from './call-records.js';
import { toolCalls } from './schema.js';

/** Calls of tools in Postgres or PGlite. */
export function sqlCallRecords(db: OracleDatabase): CallRecords {
  return {
    async begin({ runId }, calls) {
      if (calls.length === 0) return;
      const rows = calls.map(({ id, plugin, name, kind, args, waits }) => ({
        ...{ runId, callId: id, plugin, name, kind: kind ?? null, args: storableJson(args) },
        ...(waits === undefined
          ? {}
          : {
              approval: 'waiting' as const,
              approvalRequest: storableJson(waits.request),
              expiresAt: fromNow(waits.forMs),
            }),
      }));
      await db.insert(toolCalls).values(rows).onConflictDoNothing();
    },

    async end(run, callId, outcome) {
      await db
        .update(toolCalls)
        .set({ outcome: storableJson(outcome), endedAt: sql`now()` })
        .where(and(isCall(run, callId), isNull(toolCalls.outcome)));
    },

    async beginApproved(run, callId) {
      const begun = await db
        .update(toolCalls)
        .set({ approval: 'begun' })
        .where(and(isCall(run, callId), eq(toolCalls.approval, 'allowed'), isNull(toolCalls.outcome)))
        .returning({ callId: toolCalls.callId });
      return begun.length > 0;
    },

    async renewApprovalRequest(run, callId, approvalRequest, forMs) {
      await db
        .update(toolCalls)
        .set({
          approval: 'waiting',
          approvalRequest: storableJson(approvalRequest),
          expiresAt: fromNow(forMs),
          why: null,
        })
        .where(and(isCall(run, callId), isNull(toolCalls.outcome)));
    },

    async ofRun({ runId }) {
      const rows = await db
        .select(columns)
        .from(toolCalls)
        .where(eq(toolCalls.runId, runId))
        .orderBy(asc(toolCalls.position));
      return rows.map(({ state, approvalRequest, why, ...call }) => ({
        ...withoutNulls(call),
        ...(state === null || approvalRequest === null
          ? {}
          : { approval: { ...approvalRequest, state, ...(why === null ? {} : { why }) } }),
      }));
    },
  };
}

function isCall({ runId }: RunStart, callId: string) {
  return and(eq(toolCalls.runId, runId), eq(toolCalls.callId, callId));
}

const columns = {
  id: toolCalls.callId,
  plugin: toolCalls.plugin,
  name: toolCalls.name,
  kind: toolCalls.kind,
  args: toolCalls.args,
  outcome: toolCalls.outcome,
  state: toolCalls.approval,
  approvalRequest: toolCalls.approvalRequest,
  why: toolCalls.why,
  expiresAt: toolCalls.expiresAt,
};

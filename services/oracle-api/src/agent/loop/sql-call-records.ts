import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { RunStart } from '../../runs/log/store.js';
import { fromNow, type OracleDatabase, storableJson, withoutNulls } from '../../store/database.js';
import type { ApprovalRequest, CallOutcome, CallRecord, NewCall } from './call-records.js';
import { toolCalls } from './schema.js';

/**
 * Records of tool calls, written before the calls are made.
 * Ownership: calls belong to a run and are deleted with it.
 * Order: calls are listed in the order in which they began.
 * Once: beginning a call again has no effect; the first outcome stays.
 * Failure: an unavailable store rejects; each call is atomic.
 */
export class CallRecords {
  readonly #db: OracleDatabase;

  constructor(db: OracleDatabase) {
    this.#db = db;
  }

  /** All of them or none. */
  async begin({ runId }: RunStart, calls: readonly NewCall[]): Promise<void> {
    if (calls.length === 0) return;
    const rows = calls.map(({ id, plugin, name, kind, args, waits }) => ({
      runId,
      callId: id,
      plugin,
      name,
      kind: kind ?? null,
      args: storableJson(args),
      ...(waits === undefined
        ? {}
        : {
            approval: 'waiting' as const,
            approvalRequest: storableJson(waits.request),
            expiresAt: fromNow(waits.forMs),
          }),
    }));
    await this.#db.insert(toolCalls).values(rows).onConflictDoNothing();
  }

  async end(run: RunStart, callId: string, outcome: CallOutcome): Promise<void> {
    await this.#db
      .update(toolCalls)
      .set({ outcome: storableJson(outcome), endedAt: sql`now()` })
      .where(and(isCall(run, callId), isNull(toolCalls.outcome)));
  }

  /** Marks an approved call as begun. True for one of several concurrent callers. */
  async beginApproved(run: RunStart, callId: string): Promise<boolean> {
    const begun = await this.#db
      .update(toolCalls)
      .set({ approval: 'begun' })
      .where(and(isCall(run, callId), eq(toolCalls.approval, 'allowed'), isNull(toolCalls.outcome)))
      .returning({ callId: toolCalls.callId });
    return begun.length > 0;
  }

  /** Requires approval again for an approved call that has not begun. */
  async renewApprovalRequest(
    run: RunStart,
    callId: string,
    approvalRequest: ApprovalRequest,
    forMs: number,
  ): Promise<void> {
    await this.#db
      .update(toolCalls)
      .set({
        approval: 'waiting',
        approvalRequest: storableJson(approvalRequest),
        expiresAt: fromNow(forMs),
        why: null,
      })
      .where(and(isCall(run, callId), isNull(toolCalls.outcome)));
  }

  async ofRun({ runId }: RunStart): Promise<CallRecord[]> {
    const rows = await this.#db
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
  }
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

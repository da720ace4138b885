import { randomUUID } from 'node:crypto';
import type { ApprovalDecision } from '@mlango/schemas/oracle-approvals';
import { and, desc, eq, inArray, lte, sql } from 'drizzle-orm';
import { isStorable, type OracleDatabase, storableJson } from '../../store/database.js';
import { runs } from '../../store/schema.js';
import { canonicalJson } from './call-records.js';
import { approvalRules, toolCalls } from './schema.js';

/** A call that waits for approval. */
export interface WaitingCall {
  readonly runId: string;
  readonly sessionId: string;
  readonly requestId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly plugin: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly reason: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The owner's decision on a call. */
export interface Decision {
  readonly decision: ApprovalDecision;
  /** The arguments as shown to the owner; absent if the client does not send them. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** With `allow`: replaces the arguments of the call. */
  readonly changed?: Readonly<Record<string, unknown>> | undefined;
  /** For the model. */
  readonly reason?: string | undefined;
}

/**
 * Result of a decision: `settled`; `decided` earlier by another decision or by expiry; `changed` when the arguments differ from those
 * shown;
 * `unknown` when the owner has no such pending call.
 */
export type Settled =
  | { readonly kind: 'settled' }
  | { readonly kind: 'decided'; readonly as: 'allowed' | 'denied' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'unknown' };

/** Tools of an approval rule: `*` matches any. */
export interface ToolsOfRule {
  readonly plugin: string;
  readonly tool: string;
}

/** A user's standing rule for a tool: allow it with its current fingerprint, or require approval. The newer of two rules applies. */
export interface ApprovalRule extends ToolsOfRule {
  readonly id: string;
  readonly says: 'allow' | 'ask';
  /** Fingerprint of the allowed tool; empty for a rule that requires approval. */
  readonly fingerprint: string;
  readonly createdAt: Date;
}

/** Maximum number of rules of a user; at the limit no rule that requires approval is added. */
const rulesLimit = 500;

/**
 * Decisions of owners on pending calls.
 * Ownership: calls and rules of another owner are absent.
 * Once: of concurrent decisions on a call, on any replica, one applies.
 * Failure: an unavailable store rejects; each call is atomic.
 */
export class Approvals {
  readonly #db: OracleDatabase;

  constructor(db: OracleDatabase) {
    this.#db = db;
  }

  /** Newest first, at most `limit`. */
  async listWaiting(ownerDid: string, limit: number): Promise<WaitingCall[]> {
    const rows = await this.#db
      .select(waitingColumns)
      .from(toolCalls)
      .innerJoin(runs, eq(runs.runId, toolCalls.runId))
      .where(and(eq(runs.ownerDid, ownerDid), eq(runs.status, 'waiting'), isWaiting))
      .orderBy(desc(toolCalls.position))
      .limit(limit);
    return rows.map(({ approvalRequest, expiresAt, ...call }) => ({
      ...call,
      title: approvalRequest?.title ?? '',
      reason: approvalRequest?.reason ?? '',
      expiresAt: expiresAt ?? call.createdAt,
    }));
  }

  /** With `always`, a rule that allows the tool is stored in the same step. */
  async settle(ownerDid: string, runId: string, callId: string, decided: Decision): Promise<Settled> {
    if (!isStorable(runId) || !isStorable(callId)) return { kind: 'unknown' };
    return this.#db.transaction((tx) => settleIn(tx, ownerDid, runId, callId, decided));
  }

  /** Denies the pending calls of a session. Returns their number. */
  async withdraw(ownerDid: string, sessionId: string, why: string): Promise<number> {
    if (!isStorable(sessionId)) return 0;
    const ofSession = this.#db
      .select({ runId: runs.runId })
      .from(runs)
      .where(and(eq(runs.ownerDid, ownerDid), eq(runs.sessionId, sessionId), eq(runs.status, 'waiting')));
    return this.#deny(and(isWaiting, inArray(toolCalls.runId, ofSession)), why);
  }

  /** Denies expired pending calls. Returns their number. */
  expire(why: string): Promise<number> {
    return this.#deny(and(isWaiting, lte(toolCalls.expiresAt, sql`now()`)), why);
  }

  /** Newest first. */
  async listRules(ownerDid: string): Promise<ApprovalRule[]> {
    return this.#db
      .select(ruleColumns)
      .from(approvalRules)
      .where(eq(approvalRules.ownerDid, ownerDid))
      .orderBy(desc(approvalRules.createdAt));
  }

  /** Requires approval from now on, and deletes rules that allow the tool. Undefined at the limit of rules. */
  requireApproval(ownerDid: string, { plugin, tool }: ToolsOfRule): Promise<ApprovalRule | undefined> {
    const ofOwner = eq(approvalRules.ownerDid, ownerDid);
    return this.#db.transaction(async (tx) => {
      const ofThese = and(
        plugin === '*' ? undefined : eq(approvalRules.plugin, plugin),
        tool === '*' ? undefined : eq(approvalRules.tool, tool),
      );
      await tx.delete(approvalRules).where(and(ofOwner, eq(approvalRules.says, 'allow'), ofThese));
      if ((await tx.$count(approvalRules, ofOwner)) >= rulesLimit) return undefined;
      return addRule(tx, { ownerDid, plugin, tool, says: 'ask', fingerprint: '' });
    });
  }

  /** False when the owner has no such rule. */
  async dropRule(ownerDid: string, id: string): Promise<boolean> {
    if (!isStorable(id)) return false;
    const dropped = await this.#db
      .delete(approvalRules)
      .where(and(eq(approvalRules.ownerDid, ownerDid), eq(approvalRules.ruleId, id)))
      .returning({ id: approvalRules.ruleId });
    return dropped.length > 0;
  }

  async #deny(which: ReturnType<typeof and>, why: string): Promise<number> {
    const denied = await this.#db
      .update(toolCalls)
      .set({ approval: 'denied', why })
      .where(which)
      .returning({ callId: toolCalls.callId });
    return denied.length;
  }
}

async function settleIn(
  tx: Pick<OracleDatabase, 'select' | 'update' | 'insert'>,
  ownerDid: string,
  runId: string,
  callId: string,
  decided: Decision,
): Promise<Settled> {
  const { decision, args } = decided;
  const [call] = await tx
    .select({ ...toolColumns, args: toolCalls.args, state: toolCalls.approval, status: runs.status })
    .from(toolCalls)
    .innerJoin(runs, eq(runs.runId, toolCalls.runId))
    .where(and(eq(runs.ownerDid, ownerDid), eq(toolCalls.runId, runId), eq(toolCalls.callId, callId)))
    .for('update', { of: toolCalls });
  if (call === undefined || call.state === null) return { kind: 'unknown' };
  if (call.state !== 'waiting') return { kind: 'decided', as: call.state === 'denied' ? 'denied' : 'allowed' };
  // Its turn is not suspended yet, or the call was ended otherwise.
  if (call.status !== 'waiting') return { kind: 'unknown' };
  if (args !== undefined && canonicalJson(storableJson(args)) !== canonicalJson(call.args)) return { kind: 'changed' };
  await tx
    .update(toolCalls)
    .set(settledAs(decided))
    .where(and(eq(toolCalls.runId, runId), eq(toolCalls.callId, callId)));
  if (decision === 'always' && call.approvalRequest !== null) {
    const { plugin, tool, approvalRequest } = call;
    await addRule(tx, { ownerDid, plugin, tool, says: 'allow', fingerprint: approvalRequest.fingerprint });
  }
  return { kind: 'settled' };
}

/** Columns that a decision changes. */
function settledAs({ decision, changed, reason }: Decision) {
  return {
    approval: decision === 'deny' ? ('denied' as const) : ('allowed' as const),
    why: reason?.replaceAll('\u0000', '') ?? null,
    ...(changed === undefined || decision !== 'allow' ? {} : { args: storableJson(changed) }),
  };
}

async function addRule(db: Pick<OracleDatabase, 'insert'>, rule: Omit<typeof approvalRules.$inferInsert, 'ruleId'>) {
  const { ownerDid, plugin, tool } = approvalRules;
  const { says, fingerprint } = rule;
  const [added] = await db
    .insert(approvalRules)
    .values({ ruleId: randomUUID(), ...rule })
    .onConflictDoUpdate({ target: [ownerDid, plugin, tool], set: { says, fingerprint, createdAt: sql`now()` } })
    .returning(ruleColumns);
  return added;
}

const isWaiting = eq(toolCalls.approval, 'waiting');

const toolColumns = { plugin: toolCalls.plugin, tool: toolCalls.name, approvalRequest: toolCalls.approvalRequest };

const waitingColumns = {
  runId: toolCalls.runId,
  sessionId: runs.sessionId,
  requestId: runs.requestId,
  toolCallId: toolCalls.callId,
  toolName: toolCalls.name,
  plugin: toolCalls.plugin,
  args: toolCalls.args,
  approvalRequest: toolCalls.approvalRequest,
  createdAt: toolCalls.begunAt,
  expiresAt: toolCalls.expiresAt,
};

const ruleColumns = {
  id: approvalRules.ruleId,
  says: approvalRules.says,
  plugin: approvalRules.plugin,
  tool: approvalRules.tool,
  fingerprint: approvalRules.fingerprint,
  createdAt: approvalRules.createdAt,
};

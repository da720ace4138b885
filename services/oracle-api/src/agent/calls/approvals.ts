import type { ApprovalDecision } from '@mlango/schemas/oracle-approvals';

/** A call that waits for its owner. */
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

/** What an owner says to a call. */
export interface Decision {
  readonly decision: ApprovalDecision;
  /** As they were shown; absent where nobody says. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** With `allow`: what the call is made with in the place of what waits. */
  readonly changed?: Readonly<Record<string, unknown>> | undefined;
  /** For the model. */
  readonly reason?: string | undefined;
}

/**
 * What became of a decision: it holds; `decided` by another one before, or by the time; `changed` where something else waits than
 * was shown; `unknown` where nothing of the owner does.
 */
export type Settled =
  | { readonly kind: 'settled' }
  | { readonly kind: 'decided'; readonly as: 'allowed' | 'denied' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'unknown' };

/** Which tools a user has said something of: `*` stands for any. */
export interface ToolsOfRule {
  readonly plugin: string;
  readonly tool: string;
}

/** What a user has said of a tool for good: to allow it, as it was then, or to ask. Of two rules the newer one counts. */
export interface ApprovalRule extends ToolsOfRule {
  readonly id: string;
  readonly says: 'allow' | 'ask';
  /** Of the tool that is allowed; empty where its user wants to be asked. */
  readonly fingerprint: string;
  readonly createdAt: Date;
}

/**
 * What owners say to calls that wait for them.
 *
 * Ownership: another's call, and another's rule, are exactly like none.
 * Once: of many decisions on a call, at any replicas, one holds.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface Approvals {
  /** The newest first, at most `limit`. */
  listWaiting(ownerDid: string, limit: number): Promise<WaitingCall[]>;
  /** With `always`, calls of the same tool are allowed from then on, in the same step. */
  settle(ownerDid: string, runId: string, callId: string, decision: Decision): Promise<Settled>;
  /** Denies what waits in a session, so that it waits no longer. The number of calls. */
  withdraw(ownerDid: string, sessionId: string, why: string): Promise<number>;
  /** Denies what has waited for too long. The number of calls. */
  expire(why: string): Promise<number>;
  /** The newest first. */
  listRules(ownerDid: string): Promise<ApprovalRule[]>;
  /** Has the owner be asked from then on, and takes back what was allowed for good of it. Undefined where they have too many rules. */
  askBefore(ownerDid: string, tools: ToolsOfRule): Promise<ApprovalRule | undefined>;
  /** False when the owner has no such rule. */
  dropRule(ownerDid: string, id: string): Promise<boolean>;
}
